import { expect } from '@playwright/test';
import { seriousViolations } from '../support/accessibility.ts';
import { freshCompany, makeAdsetParts, makeCampaign } from '../support/company.ts';
import { dropdown, fill } from '../support/fields.ts';
import { signIn } from '../support/session.ts';
import { test } from '../support/test.ts';

test('a company sets its name and time zone, which is shown next to ranges of days; one day is drawn by hours', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  await makeCampaign(company, await makeAdsetParts(company), 'Spring');
  await signIn(page, server, company);
  await page.goto(`${server.url}/profile?tab=company`);
  await fill(page, 'Company name', 'Pocket Games');
  await dropdown(page, 'Time zone').fill('Tokyo');
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
  const form = page.getByRole('region', { name: 'Company' });
  await expect(
    form.getByRole('status').filter({ hasText: 'since the last midnight in the new time zone' }),
  ).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save company' }).click();
  await expect(page.getByText('Company saved')).toBeVisible();
  await expect(page.getByText(/, Pocket Games$/)).toBeVisible();

  await page.goto(`${server.url}/campaigns?from=2026-05-04&to=2026-05-04`);
  await expect(page.getByRole('button', { name: /^Date range: .*, days of Asia\/Tokyo$/ })).toContainText(
    'Asia/Tokyo',
  );
  await expect(
    page.getByRole('radiogroup', { name: 'Group by' }).getByRole('radio', { name: 'Hour' }),
  ).toBeChecked();
});
