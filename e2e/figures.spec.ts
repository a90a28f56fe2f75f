import { type Page, type Route, expect } from '@playwright/test';
import { approveAndFund, freshCompany, runningCampaign } from './support/company.ts';
import { bidFor, win } from './support/exchange.ts';
import { retryAtOnce } from './support/quick-retries.ts';
import { signIn, signInWithCampaign } from './support/session.ts';
import { test } from './support/test.ts';

const ZERO = /\$0\.00|\b0 total/;
const FAILURE = { status: 500, json: { data: 'Something went wrong on our side. Please try again.' } };

/** The calls of a company's reports; the path ends so. */
const REPORTS =
  /\/(analytics\/(level|bundle|bids|highlight|cohorts|skadnetwork|skadnetwork\/comparison)|campaign\/[^/]+\/(findings|bundles|prices|creatives|changes|delivery)|findings\/ranked|internal\/delivery|finance\/(transactions|statement|reconciliation|invoices)|company\/[^/]+\/changes|measurement|app\/[^/]+\/(events|source_identifiers|conversion-values))$/;

const isOf = (path: string) => (url: URL) => url.pathname === path;
const failed = (page: Page) =>
  page.getByRole('main').getByRole('alert').filter({ hasText: 'could not be loaded.' });

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

test('under another range the old figures are dimmed and marked, and unknown after a failure', async ({
  page,
  market: server,
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

test('the form of a campaign lists only the known requirements of its start', async ({ page, server }) => {
  const { company, uuid } = await signInWithCampaign(page, server);
  await approveAndFund(server, company);
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
  market: server,
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

test('the profile and the alerts have their heading while the user loads', async ({ page, server }) => {
  await signIn(page, server, await freshCompany(server));
  for (const [path, name] of [
    ['/profile', 'Profile'],
    ['/alerts', 'Alerts'],
  ] as const) {
    await page.route('**/api/internal/users/*', () => undefined);
    await page.goto(server.url + path);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
});
