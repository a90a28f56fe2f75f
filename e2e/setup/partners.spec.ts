import { expect } from '@playwright/test';
import { seriousViolations } from '../support/accessibility.ts';
import { freshCompany } from '../support/company.ts';
import { choose, dropdown, fill } from '../support/fields.ts';
import { errorsOf } from '../support/page-errors.ts';
import { signIn } from '../support/session.ts';
import { test } from '../support/test.ts';

test('an app is measured by Kochava: its link, its postbacks, and what Kochava does not document', async ({
  page,
  server,
}) => {
  const errors = errorsOf(page);
  const company = await freshCompany(server);
  await signIn(page, server, company);
  await page.goto(`${server.url}/add-app`);
  await fill(page, 'App store link', 'https://play.google.com/store/apps/details?id=com.example.orchard');
  await page.getByLabel('App store link').blur();
  await fill(page, 'Title', 'Orchard');
  await choose(page, 'Category', 'Video & Computer Games');
  await dropdown(page, 'Measurement partner (MMP)').click();
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText([
    'AppsFlyer',
    'Adjust',
    'AppMetrica',
    'Singular',
    'Branch',
    'Kochava',
    'Tenjin',
    'Other',
  ]);
  await page.getByRole('option', { name: 'Kochava' }).click();
  await page.getByRole('button', { name: 'Save app' }).click();
  await expect(page).toHaveURL(/\/assets/);
  await expect(page.getByRole('row', { name: /Orchard/ })).toContainText('Kochava');

  await page.goto(`${server.url}/tracking-links/edit`);
  await choose(page, 'App', 'Orchard');
  await fill(page, 'Title', 'Kochava');
  await page.getByRole('button', { name: 'Use the template of Kochava' }).click();
  const clickUrl = page.getByRole('textbox', { name: 'Click URL' });
  await expect(clickUrl).toHaveValue(/^https:\/\/control\.kochava\.com\/.*click_id=\{click_id\}/);
  await expect(page.getByText('Replace KOCHAVA_CAMPAIGN with the campaign_id').first()).toBeVisible();
  for (const field of ['Click URL', 'View URL']) {
    const url = page.getByRole('textbox', { name: field });
    const filled = await url.inputValue();
    await url.fill(filled.replace('KOCHAVA_CAMPAIGN', 'koorchard1').replace('KOCHAVA_NETWORK', '1234'));
  }
  await expect(page.getByText('Nothing is missing for Kochava.')).toHaveCount(2);

  const steps = page.getByRole('region', { name: 'Steps at Kochava' });
  await expect(steps.getByRole('listitem').first()).toContainText('Engagement > Campaign Manager');
  await expect(steps).toContainText('The device loads the impression URL that Kochava shows');
  await expect(steps.getByRole('link').first()).toHaveAttribute('href', /^https:/);

  const postbacks = page.getByRole('region', { name: 'Postbacks' });
  await expect(postbacks).toContainText('click_id={click_id}');
  await expect(postbacks).toContainText('Not documented by Kochava; check with them: revenue, currency');
  await postbacks.getByRole('button', { name: 'Test install' }).click();
  const dialog = page.getByRole('dialog', { name: 'Test install as from Kochava' });
  await expect(dialog.getByText('A real install would be counted.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(await seriousViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save tracking link' }).click();
  await expect(page.getByRole('row', { name: /Kochava/ })).toContainText('Kochava');
  expect(errors).toEqual([]);
});
