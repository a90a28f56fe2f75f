import { expect } from '@playwright/test';
import { approveAndFund, makeCampaign } from '../support/company.ts';
import { seriousViolations } from '../support/accessibility.ts';
import { signInToNewCompany } from '../support/session.ts';
import { test } from '../support/test.ts';

test('a campaign in review says what happens next, and starts by itself when that is chosen', async ({
  page,
  server,
}) => {
  const { company, parts } = await signInToNewCompany(page, server);
  const { uuid } = await makeCampaign(company, parts, 'Harvest time');
  await page.goto(`${server.url}/campaigns/edit?uuid=${uuid}`);
  const summary = page.getByRole('region', { name: 'Summary' });
  await expect(summary).toContainText('Then start the campaign here.');
  await page.getByRole('checkbox', { name: 'Start by itself when approved' }).check();
  await expect(summary).toContainText('It starts by itself once everything is approved.');
  await expect(summary).toContainText('The campaign then starts by itself if nothing else is missing.');
  expect(await seriousViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save campaign' }).click();

  const row = page.getByRole('row', { name: /Harvest time/ });
  await row.getByRole('link', { name: /^In moderation: app/ }).hover();
  await expect(page.getByRole('tooltip')).toContainText(
    'The campaign then starts by itself if nothing else is missing.',
  );
  const starts = row.getByText('Starts by itself when approved');
  await expect(starts.filter({ visible: true })).toHaveCount(1);
  // On a phone it is below the name.
  const { width, height } = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(starts.filter({ visible: true })).toHaveCount(1);
  await page.setViewportSize({ width, height });
  // An empty balance at the time of the approval would keep it from starting.
  await server.operator('POST', `/companies/${company.companyUuid}/credit`, {
    amount: 50,
    reason: 'Welcome',
  });
  await approveAndFund(server, company);
  await expect(row.getByRole('button', { name: 'Pause Harvest time' })).toBeVisible();
  await expect(starts).toHaveCount(0);
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(page.getByText('“Harvest time” is running', { exact: false }).first()).toBeVisible();
});
