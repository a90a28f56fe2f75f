import { type Page, type WebSocketRoute, expect } from '@playwright/test';
import { z } from 'zod';
import {
  type Company,
  freshCompany,
  makeAdsetParts,
  makeCampaign,
  runningCampaign,
} from './support/company.ts';
import { connection } from './support/connection.ts';
import { bidFor, win } from './support/exchange.ts';
import { type WebsocketRelay, openWebsocketRelay } from './support/websocket-relay.ts';
import type { Server } from './support/server.ts';
import { test as base } from './support/test.ts';
import { logInOnPage, signIn, signInWithCampaign } from './support/session.ts';

/** Adds a relay to the server that can block websockets. */
const test = base.extend<{ relay: WebsocketRelay }>({
  relay: async ({ server }, use) => {
    const relay = await openWebsocketRelay(server);
    await use(relay);
    relay.close();
  },
});

const LOST = 'Connection lost, retrying…';
/** When the console says that the connection is lost, how often it polls meanwhile, and its longest wait to reconnect. */
const LOST_AFTER_MS = 5000;
const POLL_MS = 10_000;
const RECONNECT_MAX_MS = 20_000;
/** The longest wait before the first attempt to reconnect. */
const RECONNECT_FIRST_MS = 1000;
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });
const rename = ({ api }: Company, uuid: string, name: string) =>
  api.send('PUT', `/campaign/${uuid}`, { name }, z.object({ name: z.literal(name) }));

/** Resolves once the page's next websocket is closed. */
function closing(page: Page): Promise<unknown> {
  return new Promise((closed) => {
    page.once('websocket', (socket) => socket.once('close', closed));
  });
}

/** Stops the page's clock, which is installed: from now on its time passes only in the test. */
async function pauseClock(page: Page): Promise<void> {
  // Later than the page's time will be when the call arrives there.
  await page.clock.pauseAt(Date.now() + 10_000);
}

/** Lets the page's clock jump until `shown` passes, instead of waiting for the console's timers. */
async function skipTime(page: Page, milliseconds: number, shown: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(milliseconds);
    await shown();
  }).toPass();
}

/** Creates a company with the campaign "Spring launch" and opens the campaigns, with live updates connected. */
async function openCampaigns(page: Page, server: Server) {
  const { company, uuid } = await signInWithCampaign(page, server);
  const connected = connection(page);
  await page.goto(`${server.url}/campaigns`);
  await connected;
  await expect(row(page, 'Spring launch')).toBeVisible();
  return { company, uuid };
}

/** Records the paths that the page requests from the API from now on. */
function requestedLists(page: Page): string[] {
  const requested: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'GET' && pathname.startsWith('/api/internal/'))
      requested.push(pathname.replace('/api/internal/', ''));
  });
  return requested;
}

test('a change from another tab is marked for a moment, except in the tab that made it', async ({
  page,
  server,
}) => {
  await openCampaigns(page, server);
  const other = await page.context().newPage();
  await other.clock.install();
  const connected = connection(other);
  await other.goto(`${server.url}/campaigns`);
  await connected;
  await expect(row(other, 'Spring launch')).toBeVisible();
  const marked = (tab: Page) => tab.locator('tr[data-changed]');

  await page.getByRole('button', { name: 'Edit title Spring launch' }).click();
  await page.getByRole('dialog').getByLabel('Title').fill('Summer launch');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(marked(other)).toHaveCount(1);
  await expect(marked(other)).toContainText('Summer launch');
  await expect(marked(page)).toHaveCount(0);
  await other.clock.fastForward(4000);
  await expect(marked(other)).toHaveCount(0);
  await expect(row(page, 'Summer launch')).toBeVisible();
});

test('a mark does not move if the user prefers reduced motion', async ({ page, server }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { company, uuid } = await openCampaigns(page, server);
  await rename(company, uuid, 'Summer launch');
  const cell = page.locator('tr[data-changed] td').first();
  await expect(cell).toBeVisible();
  const seconds = await cell.evaluate((element) =>
    Number.parseFloat(getComputedStyle(element).transitionDuration),
  );
  expect(seconds).toBeLessThan(0.001);
});

test('after a lost connection the page gets exactly what it missed, without reloading everything @journey', async ({
  page,
  server,
  relay,
}) => {
  const { company, uuid } = await openCampaigns(page, relay.server);
  const { apps } = await company.api.get('/app', z.object({ apps: z.array(z.object({ uuid: z.string() })) }));
  relay.allowWebsockets(false);
  relay.dropWebsockets();
  await rename(company, uuid, 'Summer launch');
  await rename(company, uuid, 'Autumn launch');
  await server.operator('POST', `/apps/${apps[0]!.uuid}/decision`, { status: 'Rejected', reason: 'Blurred' });
  await expect(row(page, 'Spring launch')).toBeVisible();

  const requested = requestedLists(page);
  const connected = connection(page);
  relay.allowWebsockets(true);
  await connected;
  await expect(row(page, 'Autumn launch')).toBeVisible();
  const toast = page.locator('.mantine-Notification-root');
  await expect(toast).toHaveCount(1);
  await expect(toast).toContainText('App rejected');
  await expect(page.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible();
  // Changed lists are fetched once each, and unchanged ones not at all.
  expect(requested.filter((path) => path === 'campaign')).toHaveLength(1);
  expect(requested.filter((path) => path === 'notifications')).toHaveLength(1);
  expect(requested.filter((path) => path === 'internal_creative_group' || path.startsWith('users/'))).toEqual(
    [],
  );
  await rename(company, uuid, 'Winter launch');
  await expect(row(page, 'Winter launch')).toBeVisible();
});

test('a lost connection is reported after five seconds, until it is back', async ({ page, relay }) => {
  await page.clock.install();
  const closed = closing(page);
  const { company, uuid } = await openCampaigns(page, relay.server);
  await pauseClock(page);
  relay.allowWebsockets(false);
  relay.dropWebsockets();
  await closed;
  await page.clock.runFor(LOST_AFTER_MS - 100);
  await expect(page.getByText(LOST)).toBeHidden();
  await page.clock.runFor(100);
  await expect(page.getByText(LOST)).toBeVisible();
  await page.clock.resume();
  // Meanwhile the page polls.
  await rename(company, uuid, 'Summer launch');
  await page.clock.fastForward(POLL_MS);
  await expect(row(page, 'Summer launch')).toBeVisible();
  await expect(page.getByText(LOST)).toBeVisible();
  relay.allowWebsockets(true);
  await skipTime(page, RECONNECT_MAX_MS, () => expect(page.getByText(LOST)).toBeHidden({ timeout: 5000 }));
});

test('a connection lost for less than five seconds is not reported', async ({ page, relay }) => {
  await page.clock.install();
  let nextClosed = closing(page);
  await openCampaigns(page, relay.server);
  await pauseClock(page);
  let said = 0;
  await page.exposeFunction('lost', () => (said += 1));
  await page.evaluate((text) => {
    const look = () =>
      document.body.textContent?.includes(text) && (window as never as { lost(): void }).lost();
    new MutationObserver(look).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  }, LOST);
  for (let drop = 0; drop < 3; drop += 1) {
    const closed = nextClosed;
    const connected = connection(page);
    nextClosed = closing(page);
    relay.dropWebsockets();
    await closed;
    await page.clock.runFor(RECONNECT_FIRST_MS);
    await connected;
  }
  expect(said).toBe(0);
});

test('where websockets are blocked, the page polls without a warning', async ({ page, relay }) => {
  await page.clock.install();
  relay.allowWebsockets(false);
  const { company, uuid } = await signInWithCampaign(page, relay.server);
  await page.goto(`${relay.server.url}/campaigns`);
  await expect(row(page, 'Spring launch')).toBeVisible();
  await rename(company, uuid, 'Summer launch');
  await skipTime(page, POLL_MS, () => expect(row(page, 'Summer launch')).toBeVisible({ timeout: 5000 }));
  await expect(page.getByText(LOST)).toBeHidden();
});

test('an expired token is refreshed and the connection is made', async ({ page, server }) => {
  const company = await freshCompany(server);
  const { uuid } = await makeCampaign(company, await makeAdsetParts(company), 'Spring launch');
  const answers: string[] = [];
  let spoilt = false;
  await page.routeWebSocket('**/connection/websocket', (socket: WebSocketRoute) => {
    const toServer = socket.connectToServer();
    socket.onMessage((message) => {
      // The server's answer to an expired token, as after a page was suspended for long.
      const first = !spoilt && String(message).includes('"connect"');
      spoilt ||= first;
      if (!first) return toServer.send(message);
      const { id } = JSON.parse(String(message)) as { id: number };
      socket.send(JSON.stringify({ id, error: { code: 109, message: 'token expired' } }));
    });
    toServer.onMessage((message) => {
      answers.push(String(message));
      socket.send(message);
    });
  });
  const refreshed = page.waitForResponse((response) => response.url().endsWith('/refresh-token'));
  await logInOnPage(page, server, company.user);
  expect((await refreshed).status()).toBe(200);
  await expect.poll(() => answers.some((answer) => answer.includes('"subs"'))).toBe(true);
  await rename(company, uuid, 'Summer launch');
  await expect(row(page, 'Summer launch')).toBeVisible();
});

test('after a restart of the server, the page reconnects and gets the changes', async ({
  page,
  ownServer: { server, halt, resume },
}) => {
  await page.clock.install();
  const closed = closing(page);
  const { company, uuid } = await openCampaigns(page, server);
  await halt();
  await closed;
  await page.clock.fastForward(LOST_AFTER_MS);
  await expect(page.getByText(LOST)).toBeVisible();
  await expect(row(page, 'Spring launch')).toBeVisible();
  await resume();
  await rename(company, uuid, 'Summer launch');
  await skipTime(page, RECONNECT_MAX_MS, () => expect(page.getByText(LOST)).toBeHidden({ timeout: 5000 }));
  await expect(row(page, 'Summer launch')).toBeVisible();
  await rename(company, uuid, 'Autumn launch');
  await expect(row(page, 'Autumn launch')).toBeVisible();
});

test('spend updates the cards, the table and the balance, and the cards send no request @journey', async ({
  page,
  market: server,
}) => {
  const { company, path } = await runningCampaign(server);
  const connected = connection(page);
  await signIn(page, server, company);
  await page.goto(`${server.url}/campaigns`);
  await connected;
  await expect(page.getByTestId('highlight-impressions')).toHaveText('0');
  const requested = requestedLists(page);
  for (let count = 1; count <= 3; count += 1) await win(await bidFor(server.url, path, `live-${count}`), 2);
  await expect(page.getByTestId('highlight-impressions')).toHaveText('3');
  await expect(page.getByTestId('highlight-spend')).toHaveText('$0.01');
  expect(requested.filter((address) => address.includes('highlight'))).toEqual([]);
  await expect(row(page, 'Spring launch')).toContainText('$0.01');
  await page.getByRole('link', { name: 'Finances', exact: true }).click();
  await expect(page.getByText('$49.99').first()).toBeVisible();
});

test('logging out everywhere ends the open pages on other devices', async ({ page, server, browser }) => {
  const { company } = await openCampaigns(page, server);
  const elsewhere = await browser.newContext();
  const device = await elsewhere.newPage();
  await logInOnPage(device, server, company.user);
  await device.goto(`${server.url}/profile?tab=sign-in`);
  await device.getByRole('button', { name: 'Log out everywhere' }).click();
  await device.getByRole('dialog').getByRole('button', { name: 'Log out everywhere' }).click();
  await expect(device).toHaveURL(/\/login$/);
  await expect(page).toHaveURL(/\/login$/);
  await elsewhere.close();
});
