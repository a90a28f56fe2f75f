import { expect } from '@playwright/test';
import { z } from 'zod';
import { appStore, freshCompany, makeAdset, makeAdsetParts } from '../support/company.ts';
import { signIn } from '../support/session.ts';
import { test } from '../support/test.ts';

const PAGE = '45812c9b-c296-43d3-c6a0-c5a02f74bf6e';
const StoreView = z.object({
  product_page_id: z.string().nullable(),
  overlay: z.object({ delay: z.number().nullable() }).loose().nullable(),
});

test('an ad set of an iOS app is given a custom product page and an SKOverlay, then none', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  const { uuid } = await makeAdset(company, await makeAdsetParts(company, { store: appStore('1234567891') }));
  const view = async () => company.api.get(`/adset/${uuid}`, StoreView);
  await signIn(page, server, company);
  await page.goto(`${server.url}/adset/edit?uuid=${uuid}`);
  const fields = page.getByRole('group', { name: 'App Store' });
  const pageField = fields.getByLabel('Custom product page');
  await pageField.fill('page');
  await fields.getByLabel('Show SKOverlay').check();
  await fields.getByLabel('Delay over the ad').fill('');
  await fields.getByLabel('Delay after the end card').fill('');
  await page.getByRole('button', { name: /^Save/ }).click();
  await expect(fields.getByText('Enter the UUID of a custom product page')).toBeVisible();
  await expect(fields.getByText('Enter a delay for the ad, for the end card or for both')).toBeVisible();
  await pageField.fill(PAGE);
  await fields.getByLabel('Delay after the end card').fill('3');
  await fields.getByLabel('People can close it').uncheck();
  await page.getByRole('button', { name: /^Save/ }).click();
  await expect.poll(view).toMatchObject({
    product_page_id: PAGE,
    overlay: { delay: null, end_card_delay: 3, dismissible: false, position: 'bottom' },
  });

  await page.goto(`${server.url}/adset/edit?uuid=${uuid}`);
  await expect(pageField).toHaveValue(PAGE);
  await fields.getByLabel('Show SKOverlay').uncheck();
  await pageField.fill('');
  await page.getByRole('button', { name: /^Save/ }).click();
  await expect.poll(view).toMatchObject({ product_page_id: null, overlay: null });
});

test('the form of an ad set of an app of Google Play has no fields of the App Store', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  const { uuid } = await makeAdset(company, await makeAdsetParts(company));
  await signIn(page, server, company);
  await page.goto(`${server.url}/adset/edit?uuid=${uuid}`);
  await expect(page.getByRole('group', { name: 'Publishers' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'App Store' })).toHaveCount(0);
});
