import { expect } from '@playwright/test';
import { freshCompany, listed } from '../support/company.ts';
import { signIn } from '../support/session.ts';
import { test } from '../support/test.ts';

const linkOf = (bundle: string) => `https://play.google.com/store/apps/details?id=${bundle}`;

test('the advertiser domain is guessed from the store link, and required before the app is saved @journey', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  await signIn(page, server, company);
  await page.goto(`${server.url}/add-app`);
  const link = page.getByLabel('App store link');
  const domain = page.getByRole('textbox', { name: 'Advertiser domain' });
  const read = async (bundle: string) => {
    await link.fill(linkOf(bundle));
    await link.blur();
    await expect(page.getByLabel('Bundle ID')).toHaveValue(bundle);
  };
  await read('com.harvest.farm');
  await expect(domain).toHaveValue('harvest.com');
  await expect(page.getByText('Guessed from the bundle ID', { exact: false })).toBeVisible();

  // The guess follows the link; what is typed stays.
  await read('com.orchard.puzzle');
  await expect(domain).toHaveValue('orchard.com');
  await domain.fill('own.example');
  await read('com.meadow.match');
  await expect(domain).toHaveValue('own.example');

  await domain.fill('');
  await page.getByRole('button', { name: 'Save app' }).click();
  await expect(domain).toHaveAttribute('aria-invalid', 'true');
  await expect(page).toHaveURL(/\/add-app/);
  expect(await listed(company, 'app')).toEqual([]);
});
