import { type Page, expect } from '@playwright/test';
import { bannerPicture, freshCompany, makeCampaign } from '../support/company.ts';
import { choose, fillPerson, solveCaptcha } from '../support/fields.ts';
import { seriousViolations } from '../support/accessibility.ts';
import { signIn, signInToNewCompany } from '../support/session.ts';
import { test } from '../support/test.ts';

/** Most clicks and sent forms that a campaign in review may take from the registration on. */
const CLICKS_MAX = 15;
const FORMS_MAX = 3;

interface Effort {
  clicks: number;
  forms: number;
}

/** Counts each press of the mouse and each sent form, on all pages that follow. */
async function countEffort(page: Page): Promise<Effort> {
  const effort = { clicks: 0, forms: 0 };
  await page.exposeFunction('countEffort', (what: keyof Effort) => {
    effort[what] += 1;
  });
  await page.addInitScript(() => {
    const { countEffort: count } = globalThis as unknown as { countEffort: (what: string) => void };
    addEventListener('pointerdown', () => count('clicks'), true);
    addEventListener('submit', () => count('forms'), true);
  });
  return effort;
}

const banner = async () => ({ name: 'Harvest.png', mimeType: 'image/png', buffer: await bannerPicture() });
const drawer = (page: Page, name: string) => page.getByRole('dialog', { name });
const checklist = (page: Page) => page.getByRole('list', { name: 'Required before the start' });
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

test('a newcomer gets from the registration to a campaign in review in few clicks and forms @journey', async ({
  page,
  server,
}) => {
  const effort = await countEffort(page);
  await page.goto(`${server.url}/registration`);
  // Fields are typed into one after the other; the first one of each form has the focus.
  await expect(field(page, 'Login')).toBeFocused();
  await fillPerson(page, {
    login: 'newly.arrived',
    email: 'newcomer@example.com',
    password: 'a-password-of-a-newcomer',
    name: 'Nora',
  });
  await solveCaptcha(page);
  await page.getByRole('button', { name: 'Create account' }).click();

  await expect(page.getByText('There are no campaigns')).toBeVisible();
  await expect(
    page.getByRole('region', { name: 'First campaign' }).getByRole('listitem').first(),
  ).toContainText('Register your app');
  await page.getByRole('link', { name: 'New Campaign' }).first().click();
  await expect(field(page, 'Campaign name')).toBeFocused();
  await field(page, 'Campaign name').fill('First steps');
  await expect(checklist(page).getByRole('listitem')).toHaveText([
    'Add your app',
    'It has no ad set: add one',
    'The balance is empty: top up first',
  ]);

  await page.getByRole('button', { name: 'Add your app' }).first().click();
  const app = drawer(page, 'Add your app');
  await expect(app.getByLabel('App store link')).toBeFocused();
  await app.getByLabel('App store link').fill('https://apps.apple.com/us/app/pocket-farm/id553834731');
  await app.getByLabel('App store link').blur();
  await expect(app.getByLabel('Bundle ID')).toHaveValue('553834731');
  // This server reads no store pages, which give the category.
  await choose(page, 'Category', 'Video & Computer Games');
  await choose(page, 'Measurement partner (MMP)', 'AppsFlyer');
  await app.getByRole('textbox', { name: 'Advertiser domain' }).fill('pocketfarm.example');
  await app.getByRole('button', { name: 'Save app' }).click();
  await expect(page.getByRole('combobox', { name: 'App', exact: true })).toHaveValue(/Pocket Farm/i);

  await page.getByRole('button', { name: 'New ad set' }).click();
  await expect(field(page, 'Title')).toBeFocused();
  await field(page, 'Title').fill('Everybody');
  await page.getByRole('button', { name: 'Reach everyone' }).click();
  await expect(page.getByRole('combobox', { name: 'Target', exact: true })).toHaveValue('Everyone');
  await page.getByRole('button', { name: 'Use the template of AppsFlyer' }).click();
  await expect(page.getByRole('combobox', { name: 'Tracking link', exact: true })).toHaveValue('AppsFlyer');
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload banners' }).click();
  await (await choosing).setFiles(await banner());
  await expect(
    page.getByRole('group', { name: 'Everybody' }).getByText('Pocket Farm creatives'),
  ).toBeVisible();
  await page.getByRole('radio', { name: /Manual CPM/ }).check();
  await page.getByLabel('CPM bid').fill('4');
  await expect(checklist(page).getByRole('listitem')).toHaveText([
    'In moderation: the app',
    'In moderation: 1 creative',
    'The balance is empty: top up first',
  ]);
  await expect(page.getByText('Then start the campaign here.')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Start by itself when approved' }).press('Space');
  await expect(
    page.getByText('The campaign then starts by itself if nothing else is missing.'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Create campaign' }).click();

  const row = page.getByRole('row', { name: /First steps/ });
  await expect(row.getByRole('link', { name: 'In moderation: app, 1 creative' })).toBeVisible();
  expect(effort.clicks).toBeLessThanOrEqual(CLICKS_MAX);
  expect(effort.forms).toBeLessThanOrEqual(FORMS_MAX);
});

test('a company without campaigns is led to its first one, with ticks at the finished steps', async ({
  page,
  server,
}) => {
  await signInToNewCompany(page, server);
  await page.goto(`${server.url}/campaigns`);
  const steps = page.getByRole('region', { name: 'First campaign' }).getByRole('listitem');
  await expect(steps.getByRole('link')).toHaveText([
    'Register your app',
    'Add a tracking link',
    'Upload creatives',
    'Create a creative group',
    'Create a target',
    'Top up the balance',
    'Create the campaign',
  ]);
  const done = page.getByRole('img', { name: 'Done' });
  for (const name of [
    'Register your app',
    'Add a tracking link',
    'Upload creatives',
    'Create a creative group',
    'Create a target',
  ])
    await expect(steps.filter({ hasText: name }).filter({ has: done })).toBeVisible();
  await expect(done).toHaveCount(5);
  // No installs before either: there is no change to state.
  await expect(page.getByRole('group', { name: 'CPI' })).toContainText('vs - in the 7 days before');
  await expect(page.getByRole('group', { name: 'CPI' })).not.toContainText('∞');
  expect(await seriousViolations(page)).toEqual([]);
  await steps.getByRole('link', { name: 'Create the campaign' }).click();
  await expect(field(page, 'Campaign name')).toBeFocused();
});

test('a new ad set is suggested a bid and a budget, and unlimited stays a choice by name', async ({
  page,
  server,
}) => {
  const { company, parts } = await signInToNewCompany(page, server);
  await makeCampaign(company, parts, 'Before', [{ daily_budget_const: 60 }]);
  await page.goto(`${server.url}/adset`);
  const suggested = page.getByRole('status', { name: 'Suggested amounts' });
  await expect(suggested).toContainText(
    'a CPM bid of $4.00 and a daily budget of $60.00 (the median of your other ad sets of this kind).',
  );
  await expect(page.getByPlaceholder('Unlimited').first()).toBeVisible();
  await suggested.getByRole('button', { name: 'Use' }).click();
  await expect(field(page, 'CPM bid')).toHaveValue('$4.00');
  await expect(field(page, 'Daily budget')).toHaveValue('$60.00');
  await expect(suggested).toBeHidden();
});

test('drawers create targets, links and creatives without leaving the form, whose draft survives', async ({
  page,
  server,
}) => {
  await signInToNewCompany(page, server);
  await page.goto(`${server.url}/campaigns/create`);
  await field(page, 'Campaign name').fill('Drawers');
  await choose(page, 'App', 'Pocket Farm');
  await page.getByRole('button', { name: 'New ad set' }).click();
  await field(page, 'Title').fill('Broad reach');

  await test.step('a target; typed input stays when the drawer closes', async () => {
    const opener = page.getByRole('button', { name: 'New target' });
    await opener.click();
    const target = drawer(page, 'New target');
    await expect(target.locator(':focus')).toHaveCount(1);
    await target.getByRole('textbox', { name: 'Title', exact: true }).fill('Nordic');
    await page.keyboard.press('Escape');
    await expect(target).toBeHidden();
    await expect(opener).toBeFocused();
    await opener.click();
    await expect(target.getByText('Your draft was restored.', { exact: false })).toBeVisible();
    expect(await seriousViolations(page)).toEqual([]);
    await target.getByRole('button', { name: 'Save target' }).click();
    await expect(target).toBeHidden();
    const select = page.getByRole('combobox', { name: 'Target', exact: true });
    await expect(select).toHaveValue('Nordic');
    await expect(select).toBeFocused();
  });

  await test.step('a tracking link, filled in with the template of the partner', async () => {
    await page.getByRole('button', { name: 'New tracking link' }).click();
    const link = drawer(page, 'New tracking link');
    await expect(link.getByRole('textbox', { name: 'Click URL' })).toHaveValue(/app\.appsflyer\.com/);
    await link.getByRole('textbox', { name: 'Title', exact: true }).fill('Second link');
    await link.getByRole('button', { name: 'Save tracking link' }).click();
    await expect(page.getByRole('combobox', { name: 'Tracking link', exact: true })).toHaveValue(
      'Second link',
    );
  });

  await test.step('creatives; a file that is not accepted is shown, and uploaded once it is replaced', async () => {
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload banners' }).click();
    const odd = { ...(await banner()), name: 'Odd.png', buffer: await bannerPicture(333, 77) };
    await (await choosing).setFiles([await banner(), odd]);
    const creatives = drawer(page, 'Upload creatives');
    await expect(creatives.getByText('333×77 px, which isn’t supported', { exact: false })).toBeVisible();
    await creatives.getByRole('button', { name: 'Remove Odd' }).click();
    await creatives.getByRole('textbox', { name: 'Creative group' }).fill('Second group');
    expect(await seriousViolations(page)).toEqual([]);
    await creatives.getByRole('button', { name: 'Upload', exact: true }).click();
    await expect(creatives).toBeHidden();
    await expect(page.getByRole('group', { name: 'Broad reach' }).getByText('Second group')).toBeVisible();
  });

  await test.step('the draft of the campaign has them after a reload', async () => {
    await page.reload();
    await expect(field(page, 'Campaign name')).toHaveValue('Drawers');
    await page.getByRole('group', { name: 'Broad reach' }).getByRole('button').first().click();
    await expect(page.getByRole('combobox', { name: 'Target', exact: true })).toHaveValue('Nordic');
    await expect(page.getByRole('group', { name: 'Broad reach' }).getByText('Second group')).toBeVisible();
  });
});

test('each item of the checklist leads to its field or its drawer', async ({ page, server }) => {
  await signIn(page, server, await freshCompany(server));
  await page.goto(`${server.url}/campaigns/create`);
  const item = (name: string) => checklist(page).getByRole('button', { name });
  // These items load last: before, the list still moves.
  const loaded = async () => expect(item('The balance is empty: top up first')).toBeVisible();
  await expect(item('Add your app')).toBeVisible();
  await loaded();
  await item('Give the campaign a name').click();
  await expect(field(page, 'Campaign name')).toBeFocused();
  await item('Add your app').click();
  await expect(drawer(page, 'Add your app').getByLabel('App store link')).toBeFocused();
  await page.keyboard.press('Escape');
  await item('The balance is empty: top up first').click();
  await expect(drawer(page, 'Top up the balance').getByLabel('Amount')).toBeFocused();
  await page.keyboard.press('Escape');

  await signInToNewCompany(page, server);
  await page.goto(`${server.url}/campaigns/create`);
  await choose(page, 'App', 'Pocket Farm');
  await loaded();
  await item('It has no ad set: add one').click();
  await expect(field(page, 'Title')).toBeFocused();
  for (const [name, input] of [
    ['Choose the target of “Ad set 1”', page.getByRole('combobox', { name: 'Target', exact: true })],
    ['Enter the CPM bid of “Ad set 1”', page.getByLabel('CPM bid')],
  ] as const) {
    await item(name).click();
    await expect(input).toBeFocused();
  }
});
