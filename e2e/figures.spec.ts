import { type Page, type Route, expect } from '@playwright/test';
import {
  approveAndFund,
  freshCompany,
  makeAdsetParts,
  makeCampaign,
  runningCampaign,
} from './support/company.ts';
import { bidFor, win } from './support/exchange.ts';
import { logInAsOperator } from './support/operator.ts';
import { retryAtOnce } from './support/quick-retries.ts';
import { type Screen, operatorScreens } from './support/screens.ts';
import type { Server } from './support/server.ts';
import { signIn } from './support/session.ts';
import { settled, watchRequests } from './support/settled.ts';
import { test } from './support/test.ts';

const ZERO = /\$0\.00|\b0 total/;
const FAILURE = { status: 500, json: { data: 'Something went wrong on our side. Please try again.' } };

/** The calls of a company's reports; the path ends so. */
const REPORTS =
  /\/(analytics\/(level|bundle|bids|highlight|cohorts|skadnetwork|skadnetwork\/comparison)|campaign\/[^/]+\/(findings|bundles|prices|creatives|changes|delivery)|findings\/ranked|internal\/delivery|finance\/(transactions|statement|reconciliation|invoices)|company\/[^/]+\/changes|measurement|app\/[^/]+\/(events|source_identifiers|conversion-values))$/;
const SCREENS =
  /^(campaigns|campaigns-.*|delivery.*|campaign-(?!create|edit|drafts|approvals).*|assets-creatives|finances.*|reports-(?!scheduled).*|tracking-link-edit|app-edit.*|changes)$/;

/** The calls of the operator's figures and lists. */
const OPERATOR_REPORTS =
  /\/api\/operator\/(companies|companies\/[^/]+\/(transactions|statement)|revenue|top-ups|ledger\/check\/last|ssps|ssps\/health|ssps\/[^/]+\/health|unreadable-prices|health|acts|operators|moderation|skadnetwork(\/apps)?)$/;

const pathOf = (url: string) => new URL(url).pathname;
const isOf = (path: string) => (url: URL) => url.pathname === path;
const BUSY = 'main [aria-busy="true"]:not([data-stale])';
const FAILED = 'main div:has(> [role="alert"] button)';
const busy = (page: Page) => page.locator(BUSY);
const failed = (page: Page) =>
  page.getByRole('main').getByRole('alert').filter({ hasText: 'could not be loaded.' });

/** Opens a screen, and returns the paths of the report calls that it makes. */
async function reportCalls(page: Page, url: string, reports: RegExp): Promise<string[]> {
  const paths = new Set<string>();
  const note = (request: { url(): string }) => paths.add(pathOf(request.url()));
  const ofReports = () => [...paths].filter((path) => reports.test(path));
  page.on('request', note);
  watchRequests(page);
  await page.goto(url);
  // The code of a tab may arrive after the page has been quiet for a while.
  await expect.poll(ofReports, { message: url, timeout: 15_000 }).not.toEqual([]);
  await settled(page);
  page.off('request', note);
  return ofReports();
}

/** Holds back the calls to a path until `fail`, from when on they fail, and until `mend`, from when on they succeed. */
async function hold(page: Page, path: string) {
  let isFailing = false;
  const held: Route[] = [];
  await page.route(isOf(path), async (route) => (isFailing ? route.fulfill(FAILURE) : void held.push(route)));
  return {
    async fail() {
      isFailing = true;
      await Promise.all(held.map((route) => route.fulfill(FAILURE).catch(() => {})));
    },
    async mend() {
      await page.unroute(isOf(path));
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    },
  };
}

/** Holds back the calls of all reports until `answer`. */
async function pauseReports(page: Page) {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(
    (url) => REPORTS.test(url.pathname),
    async (route) => {
      await answered;
      await route.continue();
    },
  );
  return { answer };
}

/** Reads what frames say in one step: between two, one may have loaded. */
async function expectNoZero(page: Page, frames: string): Promise<void> {
  const texts = await page.evaluate(
    (selector) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent),
    frames,
  );
  for (const text of texts) expect(text).not.toMatch(ZERO);
}

/** Delays each report call of each screen, then lets it fail, then repeats it. */
async function expectHonestFigures(
  page: Page,
  server: Server,
  screens: readonly Screen[],
  reports: RegExp,
): Promise<void> {
  await retryAtOnce(page);
  for (const screen of screens) {
    const calls = await reportCalls(page, server.url + screen.path, reports);
    // Other screens have the companies in a picker only.
    const paths = calls.filter(
      (path) =>
        (!path.endsWith('/companies') || screen.name === 'operator-companies') &&
        // One column of the exchanges' table, whose others are known zeros then.
        !(path.endsWith('/unreadable-prices') && screen.name === 'operator-exchanges'),
    );
    expect(paths, screen.name).not.toEqual([]);
    for (const path of paths) {
      await test.step(`${screen.name}: ${path}`, async () => {
        const call = await hold(page, path);
        await page.goto(server.url + screen.path);
        await expect(busy(page).first()).toBeAttached();
        await expectNoZero(page, BUSY);
        await call.fail();
        await expect(failed(page).first()).toBeVisible();
        await expectNoZero(page, FAILED);
        await call.mend();
        await expect(async () => {
          const again = failed(page).first().getByRole('button', { name: 'Try again' });
          if (await again.isVisible()) await again.click({ timeout: 1000 });
          await expect(failed(page)).toHaveCount(0, { timeout: 1000 });
        }).toPass();
      });
    }
  }
}

test('no screen states a figure while its report loads or after it failed', async ({
  page,
  server,
  demo,
}) => {
  await signIn(page, server, demo);
  const screens = demo.screens.filter(({ name }) => SCREENS.test(name));
  await expectHonestFigures(page, server, screens, REPORTS);
});

test('no screen of an operator states a figure while it loads or after it failed', async ({
  page,
  server,
  demo: _demo,
}) => {
  await logInAsOperator(page, server);
  const silent = /test|settings|brand|account/;
  const screens = (await operatorScreens(server)).filter(({ name }) => !silent.test(name));
  await expectHonestFigures(page, server, screens, OPERATOR_REPORTS);
});

test('under another range the old figures are dimmed and marked, and unknown after a failure', async ({
  page,
  ownServer: { server },
}) => {
  const { company, path } = await runningCampaign(server);
  await win(await bidFor(server.url, path, 'bought'), 2);
  await retryAtOnce(page);
  await signIn(page, server, company);
  await page.goto(`${server.url}/campaigns`);
  const table = page.getByRole('table', { name: 'campaigns' });
  const row = table.getByRole('row', { name: /Spring launch/ });
  const shown = row.locator('[data-label="Impressions"]');
  await expect(shown).toHaveText('1');

  const level = await hold(page, '/api/internal/analytics/level');
  await page.getByRole('button', { name: /Last 7 Days/ }).click();
  await page.getByRole('button', { name: 'Yesterday' }).click();
  const mark = page.getByRole('status').filter({ hasText: 'Dimmed: the selection before' });
  await expect(mark.first()).toBeVisible();
  await expect(shown).toHaveText('1');
  await expect(shown).toHaveCSS('opacity', '0.45');

  await level.fail();
  await expect(failed(page)).toBeVisible();
  await expect(shown).toHaveText('–');
  await expect(table.locator('tfoot')).not.toContainText(ZERO);

  await level.mend();
  await failed(page).getByRole('button', { name: 'Try again' }).click();
  await expect(shown).toHaveText('0');
  await expect(failed(page)).toHaveCount(0);
});

test('the form of a campaign says only what is known of what its start requires', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  const { uuid } = await makeCampaign(company, await makeAdsetParts(company), 'Spring launch');
  await approveAndFund(server, company);
  await signIn(page, server, company);
  const groups = await hold(page, '/api/internal/internal_creative_group');
  await page.goto(`${server.url}/campaigns/edit?uuid=${uuid}`);
  const summary = page.getByRole('region', { name: 'Summary' });
  await expect(summary.getByRole('img', { name: 'Loading what else is required' })).toBeVisible();
  await expect(summary.getByRole('listitem').filter({ hasText: 'creative' })).toHaveCount(0);
  await expect(summary).not.toContainText('Ready to start');
  await groups.mend();
  await page.reload();
  await expect(summary).toContainText('Everything is in place.');
});

/** Where the heads of the columns, the first row and the totals of a table and the chart are, in pixels. */
const boxesOf = (page: Page, table: string, chart: string) =>
  page.evaluate(
    (parts) =>
      parts.flatMap((part) =>
        [...document.querySelectorAll(part)].map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return { part, x, y, width, height };
        }),
      ),
    [`${table} thead th`, `${table} tbody tr:first-child`, chart],
  );

test('the placeholders of a loading report are where the final table and chart are', async ({
  page,
  ownServer: { server },
}) => {
  const { company, path } = await runningCampaign(server);
  await win(await bidFor(server.url, path, 'bought'), 2);
  await signIn(page, server, company);
  for (const [screen, table] of [
    ['/reports', 'main table:has(tfoot)'],
    ['/campaigns', 'table[aria-label="campaigns"]'],
  ] as const) {
    const call = await pauseReports(page);
    await page.goto(server.url + screen);
    await expect(page.locator(`${table} [data-skeleton]`).first()).toBeVisible();
    await expect(page.locator('[data-skeleton="chart"]')).toBeVisible();
    if (screen === '/campaigns') await expect(page.locator(table)).toContainText('Spring launch');
    await page.evaluate(async () => void (await document.fonts.ready));
    const loading = await boxesOf(page, table, '[data-skeleton="chart"]');
    call.answer();
    await expect(page.locator('[data-skeleton]')).toHaveCount(0);
    await expect(page.locator('main canvas').first()).toBeVisible();
    const drawn = await boxesOf(page, table, 'main figure');
    expect(drawn.length).toBe(loading.length);
    // Parts of a pixel differ with the text.
    for (const [index, { part, ...box }] of drawn.entries())
      for (const [side, pixels] of Object.entries(box))
        expect
          .soft(Math.abs(pixels - loading[index]![side as keyof typeof box]), `${part} ${index}: ${side}`)
          .toBeLessThanOrEqual(2);
  }
});
