import { type Page, expect } from '@playwright/test';
import { z } from 'zod';
import { seriousViolations } from './support/accessibility.ts';
import { type Company, freshCompany, makeCampaign } from './support/company.ts';
import type { Server } from './support/server.ts';
import { signIn, signInToNewCompany } from './support/session.ts';
import { test } from './support/test.ts';

const Made = z.object({ uuid: z.uuid() });

/** Creates a campaign with ad sets of the given CPM bids, named Ad set 1, 2, …, and signs in to its company. */
async function signInWithBids(page: Page, server: Server, bids: readonly number[]): Promise<Company> {
  const { company, parts } = await signInToNewCompany(page, server);
  const adsets = bids.map((bid, index) => ({ name: `Ad set ${index + 1}`, bet_cpm: bid }));
  await makeCampaign(company, parts, 'Spring', adsets);
  return company;
}

const select = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` }).check();
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Edit bids, budgets, status and settings' });

test('bids and budgets of many ad sets are previewed and saved, those of one typed in its row, and all can be undone @journey', async ({
  page,
  server,
}) => {
  await signInWithBids(page, server, [2, 3]);
  await page.goto(`${server.url}/campaigns?depth=adset`);
  await select(page, 'Ad set 1');
  await select(page, 'Ad set 2');
  await page.getByRole('button', { name: 'Edit…' }).click();
  await dialog(page).getByRole('button', { name: 'Preview changes' }).click();
  await expect(dialog(page).getByRole('alert')).toHaveText('Choose at least one change');
  await dialog(page).getByLabel('CPM bid', { exact: true }).selectOption('Raise by percent');
  await dialog(page).getByLabel('CPM bid, percent').fill('50');
  await dialog(page).getByLabel('Daily budget', { exact: true }).selectOption('Set to');
  await dialog(page).getByLabel('New Daily budget').fill('-5');
  await dialog(page).getByRole('button', { name: 'Preview changes' }).click();
  await expect(dialog(page).getByLabel('New Daily budget')).toHaveAttribute('aria-invalid', 'true');
  await dialog(page).getByLabel('New Daily budget').clear();
  await dialog(page).getByLabel('New Daily budget').fill('40');
  expect(await seriousViolations(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Preview changes' }).click();

  const changes = dialog(page).getByRole('table', { name: 'Changes' });
  await expect(changes.getByRole('row', { name: /Ad set 1.*CPM bid.*\$2\.00.*\$3\.00/ })).toBeVisible();
  await expect(changes.getByRole('row', { name: /Daily budget.*Unlimited.*\$40\.00/ })).toHaveCount(2);
  expect(await seriousViolations(page)).toEqual([]);
  const usual = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(changes.getByText('$40.00').first()).toBeInViewport({ ratio: 1 });
  await page.setViewportSize(usual);
  await page.route('**/api/internal/adset/*', async (route) => {
    const body = route.request().postDataJSON() as { bet_cpm?: number } | null;
    if (route.request().method() === 'PUT' && body?.bet_cpm === 4.5)
      await route.fulfill({ status: 422, json: { data: 'Not now' } });
    else await route.continue();
  });
  await dialog(page).getByRole('button', { name: 'Apply to 2 rows' }).click();
  await expect(dialog(page).getByRole('status')).toHaveText('1 saved, 1 not saved');
  await expect(changes.getByRole('row', { name: /Ad set 2.*Not now/ })).toBeVisible();
  await page.unrouteAll();
  await dialog(page).getByRole('button', { name: 'Try the failed rows again' }).click();
  await expect(dialog(page).getByRole('status')).toHaveText('2 saved');
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(page.getByRole('row', { name: /Ad set 2/ })).toContainText('$4.50');
  await expect(page.getByRole('row', { name: /Ad set 1/ })).toContainText('$40.00');

  const toast = page.locator('.mantine-Notification-root', { hasText: '2 rows changed' });
  await toast.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('row', { name: /Ad set 2/ })).toContainText('$3.00');
  await expect(page.getByRole('row', { name: /Ad set 1/ })).toContainText('Unlimited');

  // A typed price is next to what is paid, and a raise above 50% is asked about.
  const row = page.getByRole('row', { name: /Ad set 1/ });
  await row.hover();
  await page.getByRole('button', { name: 'Edit cpm bid of Ad set 1' }).click();
  const form = page.getByRole('dialog', { name: 'CPM bid of Ad set 1' });
  await expect(form.getByText('Last 7 days: no impressions yet.')).toBeVisible();
  await form.getByLabel('CPM bid').fill('3.50');
  // The sample exchange of the test sends no requests.
  await expect(form.getByText(/requests/)).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Is this bid correct?' });
  await expect(question).toContainText('The CPM bid of “Ad set 1” rises by 75%, from $2.00 to $3.50.');
  await question.getByRole('button', { name: 'Save this bid' }).click();
  await expect(row).toContainText('$3.50');
  const undo = (text: string) =>
    page.locator('.mantine-Notification-root', { hasText: text }).getByRole('button', { name: 'Undo' });
  expect(await seriousViolations(page)).toEqual([]);
  await undo('CPM bid of “Ad set 1” is now $3.50').click();
  await expect(row).toContainText('$2.00');

  await row.hover();
  await page.getByRole('button', { name: 'Edit title Ad set 1' }).click();
  await page.getByRole('dialog').getByLabel('Title').fill('Renamed');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('row', { name: /Renamed/ })).toBeVisible();
  await undo('Title is now “Renamed”').click();
  await expect(row).toBeVisible();

  await row.getByRole('button', { name: 'Pause Ad set 1' }).click();
  await undo('“Ad set 1” is paused').click();
  // It is active again, and its campaign is not.
  await expect(row).toContainText('Campaign paused');
});

test('settings of one ad set are copied to others, and undone', async ({ page, server }) => {
  const company = await signInWithBids(page, server, [2, 3]);
  const Caps = z.object({ frequency_caps: z.array(z.object({ impressions: z.number() })) });
  const { adsets } = await company.api.get(
    '/adset',
    z.object({ adsets: z.array(Made.extend({ name: z.string() })) }),
  );
  const uuidOf = (name: string) => adsets.find((adset) => adset.name === name)!.uuid;
  const settings = {
    frequency_caps: [{ impressions: 3, minutes: 1440 }],
    bid_multipliers: [{ dimension: 'country', value: 'DE', factor: 4 }],
  };
  await company.api.send('PUT', `/adset/${uuidOf('Ad set 1')}`, settings, z.object({}));
  await page.goto(`${server.url}/campaigns?depth=adset`);
  await select(page, 'Ad set 2');
  await page.getByRole('button', { name: 'Edit…' }).click();
  await dialog(page).getByRole('button', { name: 'Copy settings of an ad set' }).click();
  await dialog(page).getByRole('checkbox', { name: 'Frequency caps' }).check();
  await dialog(page).getByRole('checkbox', { name: 'Bid multipliers' }).check();
  await dialog(page).getByRole('button', { name: 'Preview changes' }).click();
  await expect(dialog(page).getByText('Choose an ad set')).toBeVisible();
  await dialog(page).getByRole('combobox', { name: 'Ad set', exact: true }).click();
  await page.getByRole('option', { name: 'Ad set 1 (Spring)' }).click();
  expect(await seriousViolations(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Preview changes' }).click();
  const changes = dialog(page).getByRole('table', { name: 'Changes' });
  await expect(
    changes.getByRole('row', { name: /Ad set 2.*Frequency caps.*none.*3 in any 24 hours/ }),
  ).toBeVisible();
  // Copied multipliers raise bids, which is asked about as where they are typed.
  await expect(dialog(page).getByRole('alert')).toContainText(
    '“Ad set 2” rises by 300%, from $3.00 to $12.00.',
  );
  const apply = dialog(page).getByRole('button', { name: 'Apply to 1 row' });
  await expect(apply).toBeDisabled();
  await dialog(page).getByRole('checkbox', { name: 'These bids are correct' }).check();
  await apply.click();
  await expect(dialog(page).getByRole('status')).toHaveText('1 saved');
  const capsOf = async () =>
    (await company.api.get(`/adset/${uuidOf('Ad set 2')}`, Caps)).frequency_caps.map(
      (cap) => cap.impressions,
    );
  expect(await capsOf()).toEqual([3]);
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click();
  const toast = page.locator('.mantine-Notification-root', { hasText: '1 row changed' });
  await toast.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(capsOf).toEqual([]);
});

test('a bulk edit leaves a row alone that someone else changed since its preview', async ({
  page,
  server,
}) => {
  const company = await signInWithBids(page, server, [2, 3]);
  const { adsets } = await company.api.get(
    '/adset',
    z.object({ adsets: z.array(Made.extend({ name: z.string() })) }),
  );
  const first = adsets.find(({ name }) => name === 'Ad set 1')!;
  await page.goto(`${server.url}/campaigns?depth=adset`);
  for (const name of ['Ad set 1', 'Ad set 2']) await select(page, name);
  await page.getByRole('button', { name: 'Edit…' }).click();
  await dialog(page).getByLabel('Daily budget', { exact: true }).selectOption('Set to');
  await dialog(page).getByLabel('New Daily budget').fill('40');
  await dialog(page).getByRole('button', { name: 'Preview changes' }).click();
  await company.api.send('PUT', `/adset/${first.uuid}`, { daily_budget_const: 90 }, z.object({}));
  await dialog(page).getByRole('button', { name: 'Apply to 2 rows' }).click();
  await expect(dialog(page).getByRole('status')).toHaveText('1 saved, 1 not saved');
  await expect(dialog(page).getByRole('row', { name: /Ad set 1.*Someone else changed this/ })).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(page.getByRole('row', { name: /Ad set 1/ })).toContainText('$90.00');
  await expect(page.getByRole('row', { name: /Ad set 2/ })).toContainText('$40.00');
});

test('a campaign and an ad set are duplicated from their menus, and toasts leave the header free', async ({
  page,
  server,
}) => {
  await signInWithBids(page, server, [2]);
  await page.goto(`${server.url}/campaigns`);
  await page.getByRole('button', { name: 'More actions for Spring' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  const toast = page.locator('.mantine-Notification-root').first();
  await expect(toast).toBeVisible();
  expect((await toast.boundingBox())!.y).toBeGreaterThanOrEqual(56);
  const copy = page.getByRole('row', { name: /Copy of Spring/ });
  await expect(copy).toContainText('Paused');
  await page.getByRole('radiogroup', { name: 'List' }).getByText('Ad sets').click();
  await expect(page.getByRole('row', { name: /Ad set 1/ })).toHaveCount(2);
  await page.getByRole('button', { name: 'More actions for Ad set 1' }).first().click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(page.getByRole('row', { name: /Copy of Ad set 1/ })).toContainText('Paused');
});

test('a bid far above what the account usually pays asks whether it is meant', async ({ page, server }) => {
  await signInWithBids(page, server, [2]);
  await page.goto(`${server.url}/campaigns?depth=adset`);
  await page.getByRole('row', { name: /Ad set 1/ }).hover();
  await page.getByRole('button', { name: 'Edit cpm bid of Ad set 1' }).click();
  await page.getByRole('dialog').getByLabel('CPM bid').fill('20');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Is this bid correct?' });
  await expect(question).toContainText('usually pays, $2.00');
  await question.getByRole('button', { name: 'Change it' }).click();
  await expect(question).toBeHidden();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await question.getByRole('button', { name: 'Save this bid' }).click();
  await expect(page.getByRole('row', { name: /Ad set 1/ })).toContainText('$20.00');
});

test('the menu of an empty report closes on Escape', async ({ page, server }) => {
  await signIn(page, server, await freshCompany(server));
  await page.goto(`${server.url}/reports`);
  await page.getByRole('button', { name: 'Export' }).click();
  await expect(page.getByRole('menuitem', { name: 'Events of a day…' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
});

test('an undo leaves what someone has changed again since', async ({ page, server }) => {
  const company = await signInWithBids(page, server, [2, 3]);
  const { adsets } = await company.api.get(
    '/adset',
    z.object({ adsets: z.array(z.object({ uuid: z.uuid(), name: z.string() })) }),
  );
  const changeElsewhere = async (name: string, changes: object) => {
    const { uuid } = adsets.find((adset) => adset.name === name)!;
    await company.api.send('PUT', `/adset/${uuid}`, changes, z.object({}));
  };
  const toast = (text: string) => page.locator('.mantine-Notification-root', { hasText: text });
  await page.goto(`${server.url}/campaigns?depth=adset`);

  await test.step('a daily budget edited in its row', async () => {
    const row = page.getByRole('row', { name: /Ad set 1/ });
    await row.hover();
    await page.getByRole('button', { name: 'Edit daily budget of Ad set 1' }).click();
    const form = page.getByRole('dialog', { name: 'Daily budget of Ad set 1' });
    await form.getByRole('textbox', { name: 'Daily budget' }).fill('50');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    const done = toast('Daily budget of “Ad set 1” is now $50.00');
    await expect(done).toBeVisible();
    await changeElsewhere('Ad set 1', { daily_budget_const: 70 });
    await done.getByRole('button', { name: 'Undo' }).click();
    await expect(toast('Not undone: it was changed again or deleted since')).toBeVisible();
    await expect(row).toContainText('$70.00');
  });

  await test.step('bids of two rows, one of which was changed again', async () => {
    await select(page, 'Ad set 1');
    await select(page, 'Ad set 2');
    await page.getByRole('button', { name: 'Edit…' }).click();
    await dialog(page).getByLabel('CPM bid', { exact: true }).selectOption('Raise by percent');
    await dialog(page).getByLabel('CPM bid, percent').fill('10');
    await dialog(page).getByRole('button', { name: 'Preview changes' }).click();
    await dialog(page).getByRole('button', { name: 'Apply to 2 rows' }).click();
    await expect(dialog(page).getByRole('status')).toHaveText('2 saved');
    await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click();
    const done = toast('2 rows changed');
    await expect(done).toBeVisible();
    await changeElsewhere('Ad set 2', { bet_cpm: 9 });
    await done.getByRole('button', { name: 'Undo' }).click();
    await expect(toast('1 of 2 not undone')).toBeVisible();
    await expect(page.getByRole('row', { name: /Ad set 1/ })).toContainText('$2.00');
    await expect(page.getByRole('row', { name: /Ad set 2/ })).toContainText('$9.00');
  });
});

test('notifications of one kind within an hour are one line', async ({ page, server }) => {
  const company = await freshCompany(server);
  for (let n = 0; n < 3; n += 1) {
    const topUp = await company.api.send('POST', '/finance/top_up', { amount: 10 + n }, Made);
    await server.operator('POST', `/top-ups/${topUp.uuid}/decision`, { status: 'success' });
  }
  await signIn(page, server, company);
  await page.goto(`${server.url}/campaigns`);
  const bell = page.getByRole('button', { name: 'Notifications, 3 unread' });
  await expect(bell).toBeVisible();
  await bell.click();
  const panel = page.getByRole('dialog').filter({ hasText: 'Mark all read' });
  await expect(panel.getByText('3 top-ups confirmed')).toHaveCount(1);
  await panel.getByRole('button', { name: 'Show 1 more' }).click();
  await expect(panel.getByText('$10.00 was added to your balance.')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
});
