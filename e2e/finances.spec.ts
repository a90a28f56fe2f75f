import { expect } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { seriousViolations } from './support/accessibility.ts';
import { freshCompany } from './support/company.ts';
import { signIn } from './support/session.ts';
import { test } from './support/test.ts';

test('the statement by day and by campaign follows the range, and is downloaded', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  await server.operator('POST', `/companies/${company.companyUuid}/credit`, {
    amount: 250,
    reason: 'Welcome',
  });
  await signIn(page, server, company);
  await page.goto(`${server.url}/finances`);
  await expect(page.getByRole('button', { name: 'Top up' })).toHaveCount(1);
  await page.getByRole('radiogroup', { name: 'View' }).getByText('By day').click();
  const days = page.getByRole('table', { name: 'Movements by day' });
  await expect(days.getByRole('row', { name: /Credit: Welcome/ })).toContainText('$250.00');
  await expect(page.getByRole('group', { name: 'Closing balance' })).toContainText('$250.00');
  expect(await seriousViolations(page)).toEqual([]);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^bidwell-statement-.*-day\.csv$/);
  expect(await readFile(await file.path(), 'utf8')).toContain(',credit,Welcome,250,250');
  await page.getByRole('radiogroup', { name: 'View' }).getByText('By campaign').click();
  await expect(page.getByText('No spend in these days')).toBeVisible();
  await expect(page).toHaveURL(/view=campaign/);
});

test('the chart has a point for each hour of up to three days', async ({ page, server }) => {
  const company = await freshCompany(server);
  await signIn(page, server, company);
  await page.goto(`${server.url}/campaigns?from=2026-05-04&to=2026-05-05&group=hour`);
  const chart = page.getByRole('table', { name: /over time/ });
  await expect(chart.getByRole('rowheader')).toHaveCount(48);
  await expect(chart.getByRole('rowheader').first()).toHaveText('May 04 00:00');
  await page.goto(`${server.url}/campaigns?from=2026-05-01&to=2026-05-05&group=hour`);
  await expect(chart.getByRole('rowheader')).toHaveCount(5);
  await expect(page.getByRole('radio', { name: 'Hour' })).toBeDisabled();
});
