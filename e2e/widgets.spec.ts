import { type Page, expect } from '@playwright/test';
import { z } from 'zod';
import { approveAndFund, freshCompany, startCampaign } from './support/company.ts';
import { fill } from './support/fields.ts';
import { test } from './support/test.ts';
import { signIn, signInToNewCompany, signInWithCampaign } from './support/session.ts';

const dates = (page: Page) => page.getByRole('button', { name: /^Date range:/ });
const cards = (page: Page) => page.getByRole('group', { name: 'Highlights' }).getByRole('group');
const names = async (page: Page) =>
  cards(page).evaluateAll((all) => all.map((card) => card.getAttribute('aria-label')));

test('the date range: presets, typed dates, clearing, and saving @journey', async ({ page, server }) => {
  await signInWithCampaign(page, server);
  await page.goto(`${server.url}/campaigns`);
  await expect(dates(page)).toHaveText(
    /^Last 7 Days: [A-Z][a-z]{2} \d\d \/ \d{4} – [A-Z][a-z]{2} \d\d \/ \d{4}$/,
  );
  for (const preset of [
    'Today',
    'Yesterday',
    'This Week',
    'Last Week',
    'This Month',
    'Last Month',
    'Last 14 Days',
    'Last 30 Days',
  ]) {
    await dates(page).click();
    await page
      .getByRole('group', { name: 'Presets' })
      .getByRole('button', { name: preset, exact: true })
      .click();
    await expect(dates(page)).toHaveText(new RegExp(`^${preset}: `));
  }
  await dates(page).click();
  await page.getByRole('button', { name: 'Custom', exact: true }).click();
  await page.getByLabel('From', { exact: true }).fill('02/27/2024');
  await page.getByLabel('To', { exact: true }).fill('03/01/2024');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(dates(page)).toHaveText('Feb 27 / 2024 – Mar 01 / 2024');
  const chart = page.getByRole('table', { name: 'Spend and Installs over time' });
  await expect(chart.getByRole('rowheader')).toHaveText(
    ['Feb 27', 'Feb 28', 'Feb 29', 'Mar 01'].map((day) => new RegExp(day.replace(' 0', ' 0?'))),
  );
  await test.step('the table of the chart for screen readers follows the group', async () => {
    await page.getByRole('radiogroup', { name: 'Group by' }).getByText('Week').click();
    await expect(chart.getByRole('rowheader')).toHaveText(['W9 2024, from Feb 27']);
  });

  // Each week is one row, even when many days are grouped into fewer weeks, and says which of its days the range has.
  await dates(page).click();
  await page.getByRole('button', { name: 'Custom', exact: true }).click();
  await page.getByLabel('From', { exact: true }).fill('02/01/2024');
  await page.getByLabel('To', { exact: true }).fill('03/01/2024');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('radiogroup', { name: 'Group by' }).getByText('Day').click();
  await expect(chart.getByRole('rowheader')).toHaveCount(30);
  await page.getByRole('radiogroup', { name: 'Group by' }).getByText('Week').click();
  await expect(chart.getByRole('rowheader')).toHaveText([
    /^W5 2024, from Feb 0?1$/,
    ...[6, 7, 8].map((week) => `W${week} 2024`),
    /^W9 2024, to Mar 0?1$/,
  ]);
  await dates(page).click();
  await page.getByLabel('From', { exact: true }).fill('02/27/2024');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.goto(`${server.url}/reports`);
  await expect(dates(page)).toHaveText('Feb 27 / 2024 – Mar 01 / 2024');
  await dates(page).click();
  await page.getByLabel('To', { exact: true }).fill('02/01/2024');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('Before From')).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(dates(page)).toHaveText(/^Last 7 Days/);
});

test('the highlight cards: reordering, removing, adding, and saving', async ({ page, server, demo }) => {
  await signIn(page, server, demo);
  await page.goto(`${server.url}/campaigns`);
  await expect.poll(() => names(page)).toEqual(['Spend', 'Installs', 'Impressions', 'CPI']);
  await expect(page.getByText('Add Metric')).toHaveCount(0);
  const handle = page.getByRole('button', { name: 'Reorder CPI' });
  await handle.focus();
  // Dragging is loaded at the first focus, which stays on the handle.
  await expect(handle).toHaveAttribute('aria-roledescription', 'sortable');
  await expect(handle).toBeFocused();
  await page.keyboard.press('Space');
  await expect(page.getByText('CPI is over place 4 of 4.')).toBeAttached();
  // The arrow keys are listened to from the next task on.
  await page.evaluate(() => new Promise((resume) => setTimeout(resume)));
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByText('CPI is over place 3 of 4.')).toBeAttached();
  await page.keyboard.press('Space');
  await expect.poll(() => names(page)).toEqual(['Spend', 'Installs', 'CPI', 'Impressions']);
  await page.getByRole('button', { name: 'Remove Installs' }).click();
  await page.getByRole('button', { name: 'Add Metric' }).click();
  await page.getByRole('menuitem', { name: 'Clicks' }).click();
  await expect.poll(() => names(page)).toEqual(['Spend', 'CPI', 'Impressions', 'Clicks']);
  await page.reload();
  await expect(cards(page).first()).toBeVisible();
  await expect.poll(() => names(page)).toEqual(['Spend', 'CPI', 'Impressions', 'Clicks']);
  for (const metric of ['Spend', 'CPI', 'Impressions'])
    await page.getByRole('button', { name: `Remove ${metric}` }).click();
  await expect.poll(() => names(page)).toEqual(['Clicks']);
  await expect(page.getByRole('button', { name: 'Remove Clicks' })).toHaveCount(0);
  await expect(cards(page)).toContainText('0%');
});

test('a click on a highlight card counts although dragging is loaded during it', async ({
  page,
  server,
  demo,
}) => {
  await signIn(page, server, demo);
  let load = () => {};
  const pressed = new Promise<void>((resolve) => {
    load = resolve;
  });
  let isLoaded = false;
  await page.route('**/sortable-cards-*.js', async (route) => {
    await pressed;
    await route.continue();
    isLoaded = true;
  });
  await page.goto(`${server.url}/campaigns`);
  await expect.poll(() => names(page)).toEqual(['Spend', 'Installs', 'Impressions', 'CPI']);
  await page.getByRole('button', { name: 'Remove Installs' }).hover();
  await page.mouse.down();
  load();
  await expect.poll(() => isLoaded).toBe(true);
  // The script runs before a later task of the page, and would replace the cards.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await page.mouse.up();
  await expect.poll(() => names(page)).toEqual(['Spend', 'Impressions', 'CPI']);
  const handle = page.getByRole('button', { name: 'Reorder CPI' });
  await expect(handle).toHaveAttribute('aria-roledescription', 'sortable');
});

test('tables sort, paginate and copy; an app of a running campaign is not deleted @journey', async ({
  page,
  server,
  context,
}) => {
  const { url } = server;
  const { company, parts, uuid } = await signInWithCampaign(page, server);
  for (let number = 1; number <= 11; number += 1) {
    const target = { app_id: parts.app.uuid, name: `Target ${number}` };
    await company.api.send('POST', '/target', target, z.object({}));
  }
  await approveAndFund(server, company);
  await startCampaign(company, uuid);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });

  await page.goto(`${url}/assets?tab=targets`);
  const table = page.getByRole('table', { name: 'targets' });
  const titles = async () =>
    (await table.getByRole('row').allInnerTexts()).slice(1).map((text) => text.trim().split('\n')[0]!.trim());
  const sorted = ['Everyone', ...Array.from({ length: 11 }, (_, index) => `Target ${index + 1}`)];
  const sort = page.getByRole('columnheader', { name: 'Title' }).getByRole('button');
  await expect(page.getByText(/^12 total$/)).toBeVisible();
  await sort.click();
  await expect.poll(titles).toEqual(sorted);
  await sort.click();
  await expect.poll(titles).toEqual(sorted.toReversed());
  await page.reload();
  await expect.poll(titles).toEqual(sorted.toReversed());
  await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('10');
  await expect.poll(titles).toEqual(sorted.toReversed().slice(0, 10));
  await page.getByRole('button', { name: /next/i }).click();
  await expect.poll(titles).toEqual(sorted.toReversed().slice(10));

  await page.goto(`${url}/assets?tab=apps`);
  await page.getByRole('button', { name: 'Copy bundle id com.example.pocketfarm' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('com.example.pocketfarm');
  await page.getByRole('button', { name: 'More actions for Pocket Farm' }).click();
  await page.getByRole('menuitem', { name: 'Copy app id' }).click();
  await expect(page.getByText('The app id of “Pocket Farm” is copied')).toBeVisible();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^[\da-f-]{36}$/);
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
  await page.getByRole('button', { name: /^Delete/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click();
  const refusal = page.getByRole('alert').filter({ hasText: 'Nothing was deleted' });
  await expect(refusal).toContainText('Pause the campaigns that use the app first: ');
  await expect(refusal).toContainText('“Spring launch”');
});

test('a new company sees the right empty states', async ({ page, server }) => {
  const { url } = server;
  await signIn(page, server, await freshCompany(server));
  await page.goto(`${url}/campaigns`);
  await expect(page.getByText('There are no campaigns').first()).toBeVisible();
  for (const tab of ['apps', 'creative-groups', 'creatives', 'targets', 'tracking-links']) {
    await page.goto(`${url}/assets?tab=${tab}`);
    await expect(page.getByText('There`s nothing here yet. Upload your files above')).toBeVisible();
  }
  await page.goto(`${url}/reports`);
  await page.getByRole('button', { name: /^Campaign:/ }).click();
  await expect(page.getByText('There are no campaigns')).toBeVisible();
  await expect(page.getByRole('link', { name: 'New Campaign' })).toHaveAttribute('href', '/campaigns/create');
  await test.step('an unknown path says that there is no page, and leads home', async () => {
    await page.goto(`${url}/nowhere`);
    await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible();
    await page.getByRole('link', { name: 'Back to home' }).click();
    await expect(page).toHaveURL(/\/campaigns/);
  });
  await expect(page.getByText('There are no campaigns').first()).toBeVisible();

  await page.goto(`${url}/add-app`);
  await fill(page, 'App store link', 'https://play.google.com/store/apps/details?id=com.example.fresh');
  await page.getByLabel('App store link').blur();
  await fill(page, 'Title', 'Fresh');
  await page.getByRole('combobox', { name: 'Category' }).click();
  await page.getByRole('option', { name: 'Shopping' }).first().click();
  await page.getByRole('combobox', { name: 'Measurement partner (MMP)' }).click();
  await page.getByRole('option', { name: 'Adjust' }).click();
  await page.getByRole('button', { name: 'Save app' }).click();
  await test.step('the status of an app says in a tooltip what moderation is', async () => {
    const status = page.getByRole('row', { name: /Fresh/ }).getByText('Moderation');
    await status.hover();
    await expect(
      page.getByText(
        'Your app is being reviewed. Once review is complete, it will be eligible to participate in advertising campaigns.',
      ),
    ).toBeVisible();
  });
  await page.goto(`${url}/campaigns/create`);
  await page.getByRole('combobox', { name: 'App', exact: true }).click();
  await page.getByRole('option', { name: /Fresh/ }).click();
  await page.getByRole('button', { name: /Add an existing ad set/ }).click();
  await expect(page.getByText('There are no adsets')).toBeVisible();
});

test('a screen that fails shows the right message and a link home', async ({ page, server, demo }) => {
  await signIn(page, server, demo);
  await page.goto(`${server.url}/campaigns`);
  // For the whole test: the router fetches a screen again when the mouse is over its link.
  await page.route('**/assets/finances-screen-*.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: 'export const FinancesScreen = () => { throw new Error("A fault of a test"); };',
    }),
  );
  await page.getByRole('link', { name: 'Finances' }).click();
  await expect(page.getByText("Oh no! Something went wrong. Don't worry, we will fix it!")).toBeVisible();
  await page
    .getByRole('link', { name: 'Go home!' })
    .or(page.getByRole('button', { name: 'Go home!' }))
    .click();
  await expect(page).toHaveURL(/\/campaigns/);
  await expect(page.getByRole('heading', { name: 'Campaigns', exact: true })).toBeVisible();
});

test('the last ten searches of a company are suggested', async ({ page, server, demo }) => {
  await signIn(page, server, demo);
  await page.goto(`${server.url}/assets?tab=targets`);
  const search = page.getByRole('combobox', { name: 'Search targets' });
  for (let index = 1; index <= 11; index += 1) {
    await search.fill(`nothing of ${index}`);
    await search.press('Enter');
  }
  await search.fill('');
  await page.reload();
  await search.click();
  const recent = page.getByRole('listbox').getByRole('option');
  await expect(recent).toHaveCount(10);
  await expect(recent.first()).toHaveText('nothing of 11');
  await recent.first().click();
  await expect(page.getByText('Nothing matches “nothing of 11”.')).toBeVisible();

  await page.goto(`${server.url}/reports`);
  const campaigns = page.getByRole('button', { name: /^Campaign: / });
  await campaigns.click();
  await page.getByRole('textbox', { name: 'Search Campaign' }).fill('lumen');
  await recent.first().click();
  await campaigns.click();
  const again = page.getByRole('group', { name: 'Recent searches of Campaign' });
  await again.getByRole('button', { name: 'lumen' }).click();
  await expect(page.getByRole('textbox', { name: 'Search Campaign' })).toHaveValue('lumen');

  const other = await freshCompany(server);
  await page.context().clearCookies();
  await signIn(page, server, other);
  await page.goto(`${server.url}/reports`);
  await campaigns.click();
  await expect(again).toBeHidden();
});

test('archived entities are listed separately, can be restored, and are deleted if unused', async ({
  page,
  server,
}) => {
  await signInToNewCompany(page, server);
  const menu = async (name: string, item: string) => {
    await page.getByRole('button', { name: `More actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const view = (name: string) =>
    page
      .getByRole('radiogroup', { name: 'Show current or archived' })
      .getByText(name, { exact: true })
      .click();
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });

  await page.goto(`${server.url}/assets?tab=targets`);
  await menu('Everyone', 'Archive');
  await expect(page.getByText('“Everyone” is archived')).toBeVisible();
  await expect(page.getByText('All items are archived.')).toBeVisible();
  await page.goto(`${server.url}/adset`);
  await page.getByRole('combobox', { name: 'Target', exact: true }).click();
  await expect(page.getByRole('option', { name: /Everyone/ })).toHaveCount(0);

  await page.goto(`${server.url}/assets?tab=targets`);
  await view('Archived');
  await expect(row('Everyone')).toBeVisible();
  await menu('Everyone', 'Restore');
  await expect(page.getByText('No archived items.')).toBeVisible();
  await view('Current');
  await menu('Everyone', 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('“Everyone” is deleted')).toBeVisible();
  await expect(row('Everyone')).toBeHidden();

  await page.goto(`${server.url}/assets?tab=apps`);
  await menu('Pocket Farm', 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'cannot be deleted because it is used by' }),
  ).toBeVisible();
  await expect(row('Pocket Farm')).toBeVisible();
});
