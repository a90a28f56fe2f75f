import { expect } from '@playwright/test';
import { z } from 'zod';
import { seriousViolations } from '../support/accessibility.ts';
import { freshCompany } from '../support/company.ts';
import { errorsOf } from '../support/page-errors.ts';
import { signIn } from '../support/session.ts';
import { test } from '../support/test.ts';

test('an app says what its conversion values mean', async ({ page, server }) => {
  const errors = errorsOf(page);
  const company = await freshCompany(server);
  const body = {
    name: 'Puzzle Quest',
    os: 'ios',
    store_link: 'https://apps.apple.com/app/id525463029',
    bundle_id: '525463029',
    mobile_measurement_partner: 'appsflyer',
    iab_category: 'IAB9-30',
    advertiser_domain: 'example.com',
  };
  const { uuid } = await company.api.send('POST', '/app', body, z.object({ uuid: z.uuid() }));
  await signIn(page, server, company);
  await page.goto(`${server.url}/edit-app?uuid=${uuid}`);
  const section = page.getByRole('region', { name: 'Conversion values' });
  await section.getByRole('button', { name: 'Add values' }).click();
  const first = section.getByRole('group', { name: 'Conversion values 1' });
  await section.getByRole('button', { name: 'Save conversion values' }).click();
  await expect(first).toContainText('Enter an event or a range of revenue');
  await first.getByLabel('To', { exact: true }).fill('9');
  await first.getByLabel('Event').fill('purchase');
  await first.getByLabel('Revenue from').fill('1');
  await first.getByLabel('Revenue to').fill('4.99');
  await section.getByRole('button', { name: 'Add values' }).click();
  const second = section.getByRole('group', { name: 'Conversion values 2' });
  await expect(second.getByLabel('From', { exact: true })).toHaveValue('10');
  await second.getByRole('combobox', { name: 'Value' }).click();
  await page.getByRole('option', { name: 'High' }).click();
  await second.getByRole('combobox', { name: 'Window' }).click();
  await page.getByRole('option', { name: 'Days 3–7' }).click();
  await second.getByLabel('Event').fill('subscribed');
  expect(await seriousViolations(page)).toEqual([]);
  await section.getByRole('button', { name: 'Save conversion values' }).click();
  await expect(page.getByText('Conversion values saved')).toBeVisible();
  await page.reload();
  await expect(first.getByLabel('Event')).toHaveValue('purchase');
  await expect(first.getByLabel('Revenue to')).toHaveValue('$4.99');
  await expect(second.getByRole('combobox', { name: 'Window' })).toHaveValue('Days 3–7');
  await second.getByRole('button', { name: 'Remove conversion values 2' }).click();
  await section.getByRole('button', { name: 'Save conversion values' }).click();
  await expect(page.getByText('Conversion values saved')).toBeVisible();
  await page.reload();
  await expect(first.getByLabel('Event')).toHaveValue('purchase');
  await expect(second).toBeHidden();
  expect(errors).toEqual([]);
});
