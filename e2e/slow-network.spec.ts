import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { setTimeout as pass } from 'node:timers/promises';
import type { Company } from './support/company.ts';
import { listed } from './support/company.ts';
import { choose, dropdown, fillAdset, fillApp } from './support/fields.ts';
import type { Server } from './support/server.ts';
import { test } from './support/test.ts';
import { signInToNewCompany } from './support/session.ts';

const DELAY_MS = 2000;

/** Signs in to a new company, then delays every API call of the page by two seconds. */
async function signInOnSlowNetwork(page: Page, server: Server): Promise<Company> {
  const { company } = await signInToNewCompany(page, server);
  await page.route('**/api/**', async (route) => {
    await pass(DELAY_MS);
    // The page may have been closed in the meantime.
    await route.continue().catch(() => {});
  });
  return company;
}

const saves = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Opens a screen; expects the loading indicator first, then the screen. */
async function open(page: Page, server: Server, path: string, heading: string): Promise<void> {
  await page.goto(server.url + path);
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
  await expect(page.getByRole('status', { name: 'Loading' })).toBeHidden();
}

test('an app and a target are created once, however often Save is clicked', async ({ page, server }) => {
  const company = await signInOnSlowNetwork(page, server);

  await open(page, server, '/add-app', 'Add app');
  await fillApp(page, 'Night Runner', 'com.example.nightrunner');
  await saves(page, 'Save app').dblclick();
  await expect(saves(page, 'Save app')).toBeDisabled();
  await expect(page.getByText('App added.', { exact: false })).toBeVisible();
  await expect(page.getByRole('row', { name: /Night Runner/ })).toHaveCount(1);

  await page.getByRole('tab', { name: 'Targets' }).click();
  await page.getByRole('link', { name: 'Add target' }).click();
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Players at night');
  await choose(page, 'App', 'Night Runner');
  await saves(page, 'Save target').dblclick();
  await expect(page.getByText('Target saved')).toBeVisible();
  await expect(page.getByRole('row', { name: /Players at night/ })).toHaveCount(1);

  expect(await listed(company, 'app')).toEqual(['Night Runner', 'Pocket Farm']);
  expect(await listed(company, 'target')).toEqual(['Everyone', 'Players at night']);
});

test('a campaign and its ad set are created once, from a draft that survives a reload', async ({
  page,
  server,
}) => {
  const company = await signInOnSlowNetwork(page, server);

  await open(page, server, '/campaigns/create', 'New campaign');
  await page.getByLabel('Campaign name').fill('Spring launch');
  await choose(page, 'App', 'Pocket Farm');
  await page.getByRole('button', { name: 'New ad set' }).click();
  await fillAdset(page, 'Broad reach');

  await test.step('leaving a form asks first, and staying keeps the input', async () => {
    await page.getByRole('link', { name: 'Reports', exact: true }).click();
    await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
    await page.getByRole('button', { name: 'Stay' }).click();
    await expect(page.getByLabel('CPM bid')).toHaveValue('$4.00');
  });

  await test.step('a reload restores the input', async () => {
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await expect(page.getByText('Your draft was restored.', { exact: false })).toBeVisible();
    await expect(page.getByLabel('Campaign name')).toHaveValue('Spring launch');
    await page.getByRole('button', { name: /^Broad reach/ }).click();
    await expect(page.getByLabel('CPM bid')).toHaveValue('$4.00');
    await expect(dropdown(page, 'Target')).toHaveValue('Everyone');
  });

  await test.step('leaving it as a draft and coming back restores it too', async () => {
    await page.getByRole('link', { name: 'Reports', exact: true }).click();
    await page.getByRole('button', { name: 'Keep draft and leave' }).click();
    await expect(page.getByRole('heading', { name: 'Reports' })).toBeVisible();
    await page.goBack();
    await expect(page.getByLabel('Campaign name')).toHaveValue('Spring launch');
    await expect(dropdown(page, 'App')).toHaveValue('Pocket Farm (Android)');
  });

  await saves(page, 'Create campaign').dblclick();
  await expect(page.getByText('Campaign created successfully')).toBeVisible();
  await expect(page.getByRole('row', { name: /Spring launch/ })).toHaveCount(1);
  expect(await listed(company, 'campaign')).toEqual(['Spring launch']);
  expect(await listed(company, 'adset')).toEqual(['Broad reach']);

  await open(page, server, '/campaigns/create', 'New campaign');
  await expect(page.getByLabel('Campaign name')).toHaveValue('');
});

test('a user who leaves while the form is being saved is not redirected, and it is saved', async ({
  page,
  server,
}) => {
  const company = await signInOnSlowNetwork(page, server);
  await open(page, server, '/targets/edit', 'New target');
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Players at night');
  await choose(page, 'App', 'Pocket Farm');
  await saves(page, 'Save target').click();
  await page.getByRole('link', { name: 'Finances', exact: true }).click();
  await expect(page.getByText('Target saved')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Finances' })).toBeVisible();
  await expect(page).toHaveURL(/\/finances/);

  await page.goBack();
  await expect(page.getByRole('heading', { name: 'New target' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Title', exact: true })).toHaveValue('');
  expect(await listed(company, 'target')).toEqual(['Everyone', 'Players at night']);
});
