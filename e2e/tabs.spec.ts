import { type Page, type Request, type Route, expect } from '@playwright/test';
import { z } from 'zod';
import { connection } from './support/connection.ts';
import { type Company, approveAndFund, freshCompany } from './support/company.ts';
import type { Server } from './support/server.ts';
import { errorsOf } from './support/page-errors.ts';
import { openSlowRelay } from './support/slow-relay.ts';
import { test } from './support/test.ts';
import { logInOnPage, signIn, signInToNewCompany, signInWithCampaign } from './support/session.ts';

const EXPIRED = 'Session expired. Please refresh the page.';
const isRefresh = (request: Request) => request.url().endsWith('/api/internal/refresh-token');
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });
const go = (page: Page, link: string) => page.getByRole('link', { name: link, exact: true }).click();

/** Opens the campaigns, with live updates connected. */
async function openCampaigns(page: Page, server: Server): Promise<void> {
  const connected = connection(page);
  await page.goto(`${server.url}/campaigns`);
  await connected;
}

/** Opens the campaigns in a second tab of the same browser. */
async function secondTab(page: Page, server: Server): Promise<Page> {
  const other = await page.context().newPage();
  await openCampaigns(other, server);
  await expect(other.getByRole('heading', { name: 'Campaigns', exact: true })).toBeVisible();
  return other;
}

const Adsets = z.object({
  adsets: z.array(
    z.object({ uuid: z.uuid(), name: z.string(), description: z.string(), bet_cpm: z.number() }),
  ),
});

/** The ad set of the company, as the server has it. */
const adsetOf = async ({ api }: Company) => (await api.get('/adset', Adsets)).adsets[0]!;

/** Replaces the access tokens that the pages use at present by an expired one in all further requests. */
async function expireTokens(pages: readonly Page[]): Promise<void> {
  const inUse = new Set<string>();
  for (const page of pages) {
    const authorized = page.waitForRequest((request) => 'authorization' in request.headers());
    await go(page, 'Finances');
    inUse.add((await authorized).headers()['authorization']!);
    await expect(page.getByRole('heading', { name: 'Finances' })).toBeVisible();
  }
  await pages[0]!.context().route('**/api/internal/**', async (route) => {
    const headers = route.request().headers();
    if (inUse.has(headers['authorization'] ?? '')) headers['authorization'] = 'Bearer expired';
    // A call that was under way when the route was added may be handled already.
    await route.continue({ headers }).catch(() => {});
  });
}

test('a change in one tab is shown in the other, and a log out ends both @journey', async ({
  page,
  server,
}) => {
  const { company } = await signInWithCampaign(page, server);
  await approveAndFund(server, company);
  await openCampaigns(page, server);
  const other = await secondTab(page, server);
  await expect(row(other, 'Spring launch')).toContainText('Paused');

  await page.getByRole('button', { name: 'Start Spring launch' }).click();
  await expect(other.getByRole('button', { name: 'Pause Spring launch' })).toBeVisible();
  await page.getByRole('button', { name: 'Edit title Spring launch' }).click();
  await page.getByRole('dialog').getByLabel('Title').fill('Summer launch');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(row(other, 'Summer launch')).toBeVisible();
  await expect(row(other, 'Spring launch')).toHaveCount(0);
  await other.getByRole('button', { name: 'Pause Summer launch' }).click();
  await expect(page.getByRole('button', { name: 'Start Summer launch' })).toBeVisible();
  await expect(row(page, 'Summer launch')).toContainText('Paused');

  await page.getByRole('button', { name: /Your account/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  for (const tab of [page, other]) {
    await expect(tab).toHaveURL(/\/login$/);
    await expect(tab.getByRole('button', { name: 'Log in' })).toBeVisible();
  }
  await other.goto(`${server.url}/finances`);
  await expect(other).toHaveURL(/\/login$/);
});

test('a form takes over the fields of a target that another tab saved, and asks about the field that both changed', async ({
  page,
  server,
}) => {
  const {
    parts: { target },
  } = await signInToNewCompany(page, server);
  await openCampaigns(page, server);
  const other = await secondTab(page, server);
  for (const tab of [page, other]) await tab.goto(`${server.url}/targets/edit?uuid=${target.uuid}`);
  await other.getByLabel('Title').fill('Europe');
  await page.getByLabel('Title').fill('The world');
  await page.getByLabel('Description').fill('No one is left out');
  await page.getByRole('button', { name: 'Save target' }).click();
  await expect(page).toHaveURL(/\/assets/);

  await expect(other.getByLabel('Description')).toHaveValue('No one is left out');
  const notice = other.getByRole('alert').filter({ hasText: 'Someone else changed this meanwhile' });
  await expect(notice.getByRole('group', { name: 'Title' })).toContainText(/Yours: Europe.*Saved: The world/);
  await other.getByRole('button', { name: 'Save target' }).click();
  await expect(notice).toBeFocused();
  await expect(other.getByRole('textbox', { name: 'Title' })).toHaveValue('Europe');
  await notice.getByRole('button', { name: 'Keep yours: Title' }).click();
  await expect(notice).toBeHidden();
  await other.getByRole('button', { name: 'Save target' }).click();
  await expect(other.getByRole('row', { name: /Europe/ })).toContainText('No one is left out');
});

test('a campaign form takes over the fields of its ad set that another tab saved, and asks about the fields that both changed @journey', async ({
  page,
  server,
}) => {
  const { company, uuid } = await signInWithCampaign(page, server);
  await openCampaigns(page, server);
  const other = await secondTab(page, server);
  await other.goto(`${server.url}/campaigns/edit?uuid=${uuid}`);
  const adset = other.getByRole('group', { name: 'Ad sets' });
  await adset.getByRole('button', { name: /Broad reach/, expanded: false }).click();
  await adset.getByLabel('CPM bid').fill('6');
  await adset.getByLabel('Title').fill('Wide reach');
  await page.getByRole('button', { name: 'Edit title Spring launch' }).click();
  await page.getByRole('dialog').getByLabel('Title').fill('Summer launch');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(other.getByLabel('Campaign name')).toHaveValue('Summer launch');

  await page.goto(`${server.url}/adset/edit?uuid=${(await adsetOf(company)).uuid}`);
  await page.getByLabel('CPM bid').fill('5');
  await page.getByLabel('Description').fill('For all');
  await page.getByRole('button', { name: 'Save ad set' }).click();
  await expect(page).toHaveURL(/\/campaigns\/edit/);
  await expect(adset.getByLabel('Description')).toHaveValue('For all');
  const notice = other.getByRole('alert').filter({ hasText: 'Someone else changed this meanwhile' });
  await expect(notice.getByRole('group', { name: 'Broad reach: CPM bid' })).toContainText(
    /Yours: \$6\.00.*Saved: \$5\.00/,
  );
  await notice.getByRole('button', { name: 'Take saved: Broad reach: CPM bid' }).click();
  await other.getByRole('button', { name: 'Save campaign' }).click();
  await expect(row(other, 'Summer launch')).toBeVisible();
  expect(await adsetOf(company)).toMatchObject({
    name: 'Wide reach',
    description: 'For all',
    bet_cpm: 5,
  });
});

test('an edit in place follows what another tab saved, and asks about the value that both changed', async ({
  page,
  server,
}) => {
  const { company } = await signInWithCampaign(page, server);
  await openCampaigns(page, server);
  const other = await secondTab(page, server);
  await other.goto(`${server.url}/campaigns?depth=adset`);
  await other.getByRole('button', { name: 'Edit cpm bid of Broad reach' }).click();
  const dialog = other.getByRole('dialog');
  await dialog.getByLabel('CPM bid').fill('6');
  await page.goto(`${server.url}/adset/edit?uuid=${(await adsetOf(company)).uuid}`);
  await page.getByLabel('CPM bid').fill('5');
  await page.getByLabel('Description').fill('For all');
  await page.getByRole('button', { name: 'Save ad set' }).click();
  await expect(page).toHaveURL(/\/campaigns\/edit/);
  const notice = dialog.getByRole('alert').filter({ hasText: 'Someone else changed this meanwhile' });
  await expect(notice).toContainText(/Yours: \$6\.00.*Saved: \$5\.00/);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(notice).toBeFocused();
  await notice.getByRole('button', { name: 'Keep yours: CPM bid' }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toBeHidden();
  expect(await adsetOf(company)).toMatchObject({ description: 'For all', bet_cpm: 6 });
});

test('a draft that is restored after a colleague saved takes over the colleague’s changes, and asks about the rest', async ({
  page,
  server,
}) => {
  const { company, uuid } = await signInWithCampaign(page, server);
  const address = `${server.url}/campaigns/edit?uuid=${uuid}`;
  await page.goto(address);
  await page.getByLabel('Campaign name').fill('Summer launch');
  const adset = page.getByRole('group', { name: 'Ad sets' });
  await adset.getByRole('button', { name: /Broad reach/, expanded: false }).click();
  await adset.getByLabel('CPM bid').fill('6');
  await expect(page.getByText(/“Broad reach” bids \$6\.00/)).toBeVisible();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto('about:blank');
  const adsetUuid = (await adsetOf(company)).uuid;
  await company.api.send('PUT', `/adset/${adsetUuid}`, { bet_cpm: 5, description: 'For all' }, z.unknown());
  await page.goto(address);
  await expect(page.getByText('Your draft was restored.')).toBeVisible();
  await expect(page.getByLabel('Campaign name')).toHaveValue('Summer launch');
  const notice = page.getByRole('alert').filter({ hasText: 'Someone else changed this meanwhile' });
  await expect(notice.getByRole('group')).toHaveCount(1);
  await expect(notice.getByRole('group', { name: 'Broad reach: CPM bid' })).toContainText(
    /Yours: \$6\.00.*Saved: \$5\.00/,
  );
  await notice.getByRole('button', { name: 'Take saved: Broad reach: CPM bid' }).click();
  await page.getByRole('button', { name: 'Save campaign' }).click();
  await expect(row(page, 'Summer launch')).toBeVisible();
  expect(await adsetOf(company)).toMatchObject({ description: 'For all', bet_cpm: 5 });
});

test('reloading while the session is being renewed does not end it', async ({ page, server }) => {
  const company = await freshCompany(server);
  const relay = await openSlowRelay(server, '/api/internal/refresh-token', 300);
  await signIn(page, relay.server, company);
  for (let times = 0; times < 3; times += 1) {
    const renewal = page.waitForRequest(isRefresh);
    await page.goto(`${relay.server.url}/campaigns`, { waitUntil: 'commit' });
    await renewal;
    await page.reload({ waitUntil: 'commit' });
  }
  await expect(page.getByRole('heading', { name: 'Campaigns', exact: true })).toBeVisible();
  relay.close();
});

test('a log out leaves no error of the calls that are under way', async ({ page, server }) => {
  const errors = errorsOf(page);
  const company = await freshCompany(server);
  await signIn(page, server, company);
  await openCampaigns(page, server);
  const loggedOut = page.waitForResponse((response) => response.url().endsWith('/api/internal/logout'));
  const held: Promise<void>[] = [];
  const hold = async (route: Route): Promise<void> => {
    await loggedOut;
    // Fails if the page no longer waits for the call.
    await route.continue().catch(() => {});
    await (await route.request().response())?.finished();
  };
  await page.route('**/api/internal/**', (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    held.push(hold(route));
    return held.at(-1);
  });
  await go(page, 'Finances');
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await page.getByRole('button', { name: /Your account/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await Promise.all(held);
  expect(errors).toEqual([]);
});

for (const [failure, fail] of [
  ['never reaches the server', (route: Route) => route.abort()],
  ['the server cannot answer', (route: Route) => route.fulfill({ status: 500, body: 'unavailable' })],
] as const) {
  test(`a logout that ${failure} ends the session at the next successful call`, async ({ page, server }) => {
    const company = await freshCompany(server);
    await logInOnPage(page, server, company.user);
    const cookies = await page.context().cookies();
    const token = cookies.find(({ name }) => name === 'bidwell_refresh_token')!.value;
    await page.context().route('**/api/internal/**', fail);
    await page.getByRole('button', { name: /Your account/ }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await page.context().unrouteAll();

    await page.goto(`${server.url}/campaigns`);
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByLabel('I am not a robot')).toBeVisible();
    // The mark of the known device is no part of the session.
    const names = async () => (await page.context().cookies()).map(({ name }) => name);
    await expect.poll(names).toEqual(['bidwell_device']);
    const stolen = await fetch(`${server.url}/api/internal/refresh-token`, {
      method: 'POST',
      headers: { cookie: `bidwell_refresh_token=${token}` },
    });
    expect(stolen.status).toBe(401);
  });
}

test('an expired session is renewed once for all calls of both tabs', async ({ page, server }) => {
  await signInWithCampaign(page, server);
  await page.goto(`${server.url}/campaigns`);
  const tabs = [page, await secondTab(page, server)];
  await expireTokens(tabs);

  let refreshes = 0;
  const refused = tabs.map(() => new Set<string>());
  for (const [index, tab] of tabs.entries()) {
    tab.on('request', (request) => (refreshes += isRefresh(request) ? 1 : 0));
    tab.on('response', (response) => {
      const call = `${response.request().method()} ${response.url()}`;
      if (response.status() === 401) refused[index]!.add(call);
      else refused[index]!.delete(call);
    });
  }
  const refusals = tabs.map((tab) => tab.waitForResponse((response) => response.status() === 401));
  // The renewal waits until both tabs need it; otherwise the second may already use the new session.
  await page.context().route('**/api/internal/refresh-token', async (route) => {
    await Promise.all(refusals);
    await route.continue();
  });
  await Promise.all(tabs.map((tab) => go(tab, 'Campaigns')));
  await Promise.all(refusals);
  for (const tab of tabs) {
    await expect(row(tab, 'Spring launch')).toBeVisible();
    await expect(tab.getByTestId('highlight-spend')).toHaveText('$0.00');
    await expect(tab.locator('.mantine-Skeleton-root')).toHaveCount(0);
    await expect(tab.getByText(EXPIRED)).toBeHidden();
  }
  await expect.poll(() => refused.map((calls) => [...calls])).toEqual([[], []]);
  expect(refreshes).toBe(1);
});

test('a session that cannot be renewed shows a message, and the console continues when the server is back', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  await signIn(page, server, company);
  let isDown = false;
  // Set before the page makes calls, and it stays: a call that is under way when routes change would be handled twice.
  await page.route('**/api/internal/refresh-token', (route) =>
    isDown
      ? route.fulfill({ status: 503, json: { data: 'Please try again in a moment.' } })
      : route.fallback(),
  );
  await page.goto(`${server.url}/campaigns`);
  await expireTokens([page]);
  isDown = true;
  await go(page, 'Campaigns');
  await expect(page.getByText(EXPIRED).first()).toBeVisible();
  await expect(page).toHaveURL(/\/campaigns/);
  isDown = false;
  await go(page, 'Reports');
  await expect(page.getByRole('heading', { name: 'Reports' })).toBeVisible();
  await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
});

test('a rejected refresh token leads to the login with a message', async ({ page, server }) => {
  const company = await freshCompany(server);
  await signIn(page, server, company);
  await page.goto(`${server.url}/campaigns`);
  await expireTokens([page]);
  await page.context().clearCookies({ name: 'bidwell_refresh_token' });
  await go(page, 'Campaigns');
  await expect(page.getByText(EXPIRED).first()).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
});

test('without a refresh token the login opens at once', async ({ page, server }) => {
  const company = await freshCompany(server);
  await signIn(page, server, company);
  await page.goto(`${server.url}/campaigns`);
  await expireTokens([page]);
  await page.context().clearCookies();
  const refreshes: string[] = [];
  page.on('request', (request) => isRefresh(request) && refreshes.push(request.url()));
  await go(page, 'Campaigns');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  await expect(page.getByText(EXPIRED)).toBeHidden();
  expect(refreshes).toEqual([]);
});
