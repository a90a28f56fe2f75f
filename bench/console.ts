/**
 * The console in a real browser: script size of the first load, Lighthouse with the desktop preset, response time of a
 * table of 10,000 rows, and drawing a chart of 90 days. Baseline for sorting the table: sorting 10,000 plain objects in
 * the same page.
 */
import { type BrowserContext, type Page, type Request, chromium } from '@playwright/test';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import lighthouse, { type Result, desktopConfig } from 'lighthouse';
import { examples } from '@bidwell/contract/lib/all-examples';
import { App } from '@bidwell/contract/apps/schema';
import { operatorApi, register } from '@bidwell/exchange/demo/api';
import { DEMO_USER, equipDemoCompany } from '@bidwell/exchange/demo/company';
import { readConfig } from '@bidwell/server/config/config';
import { start } from '@bidwell/server/start/main';
import { freePort } from '../chaos/server-process.ts';

const ROWS = 10_000;
const DAYS = 90;
const REPEATS = 7;
const SETTLE_MS = 3000;

// `npm run bench` names the browser that it finds.
const executablePath = process.env['CHROMIUM_PATH'];
if (!executablePath) {
  console.error('Chromium is missing: apt-get install chromium-headless-shell, or set CHROMIUM_PATH.');
  process.exit(1);
}
if (!existsSync(fileURLToPath(new URL('../packages/console/dist/index.html', import.meta.url)))) {
  console.error('The console is not built: npm run build');
  process.exit(1);
}

const folder = await mkdtemp(join(tmpdir(), 'bidwell-bench-'));
const port = await freePort();
const config = readConfig({
  NODE_ENV: 'production',
  PORT: String(port),
  DATA_DIR: join(folder, 'data'),
  LOG_LEVEL: 'error',
});
const server = await start(config);
const url = `http://localhost:${port}`;
const { api, companyUuid } = await register(url, DEMO_USER);
await equipDemoCompany({ api, operator: operatorApi(url, server.operatorToken), url }, companyUuid);

const debugPort = await freePort();
const context = await chromium.launchPersistentContext(join(folder, 'browser'), {
  executablePath,
  viewport: { width: 1440, height: 900 },
  args: [
    `--remote-debugging-port=${debugPort}`,
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
  ],
});

try {
  const login = await audited(`${url}/login`);
  const { screenKb: loginJsKb } = await scriptKb(context, `${url}/login`, 'form');
  const page = await context.newPage();
  await logIn(page);
  const { screenKb: campaignsJsKb, liveKb: liveJsKb } = await scriptKb(
    context,
    `${url}/campaigns`,
    'figure canvas',
  );
  // A second page would poll the server meanwhile.
  await page.goto('about:blank');
  const campaigns = await audited(`${url}/campaigns`);
  const table = await measureTable(page);
  const chartMs = await measureChart(page);

  for (const [path, scores] of [
    ['/login', login],
    ['/campaigns', campaigns],
  ] as const)
    console.log(
      `${path}: ${Object.entries(scores)
        .map(([name, score]) => `${name} ${score}`)
        .join(', ')}`,
    );
  console.log(
    `script, compressed: /login ${loginJsKb} kB, /campaigns ${campaignsJsKb} kB and ${liveJsKb} kB for live updates`,
  );
  console.log(
    `${ROWS} rows: sort ${table.sortMs} ms, next page ${table.pageMs} ms, bare sort ${table.bareMs} ms`,
  );
  console.log(`${DAYS} days drawn in ${chartMs} ms`);
  const lowest = (name: keyof typeof login) => Math.min(login[name], campaigns[name]);
  console.log(
    JSON.stringify({
      bench: 'console',
      ratio: Number((table.sortMs / table.bareMs).toFixed(1)),
      loginJsKb,
      campaignsJsKb,
      liveJsKb,
      lighthousePerformance: lowest('performance'),
      lighthouseAccessibility: lowest('accessibility'),
      lighthouseBestPractices: lowest('best-practices'),
      sortMs: table.sortMs,
      pageMs: table.pageMs,
      chartMs,
    }),
  );
} finally {
  await context.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
}

/** Median Lighthouse scores, 0-100, of three runs on a URL in the browser's session. */
async function audited(address: string) {
  const categories = ['performance', 'accessibility', 'best-practices'] as const;
  const runs: Result[] = [];
  for (let run = 0; run < 3; run += 1) {
    const result = await lighthouse(
      address,
      {
        port: debugPort,
        output: 'json',
        logLevel: 'error',
        disableStorageReset: true,
        onlyCategories: [...categories],
      },
      desktopConfig,
    );
    runs.push(result!.lhr);
  }
  const scoreOf = (name: string) =>
    runs.map((run) => Math.round((run.categories[name]!.score ?? 0) * 100)).sort((a, b) => a - b)[1]!;
  const { audits, categories: found } = runs[1]!;
  for (const { id, weight } of [...found['accessibility']!.auditRefs, ...found['best-practices']!.auditRefs])
    if (weight > 0 && (audits[id]!.score ?? 1) < 1)
      console.log(`  ${new URL(address).pathname}: ${audits[id]!.title}`);
  return {
    performance: scoreOf('performance'),
    accessibility: scoreOf('accessibility'),
    'best-practices': scoreOf('best-practices'),
  };
}

/**
 * Compressed script size of a first visit in kilobytes, without headers. The websocket client, which is loaded after the
 * screen, is counted separately.
 */
async function scriptKb(session: BrowserContext, address: string, shown: string) {
  const page = await session.newPage();
  const cdp = await session.newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  const scripts: Request[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script') scripts.push(request);
  });
  await page.goto(address);
  await page.locator(shown).first().waitFor();
  // Scripts that are fetched after the first paint count as well.
  // oxlint-disable-next-line no-restricted-properties -- nothing says that no more scripts come
  await page.waitForTimeout(SETTLE_MS);
  const bytes = { screen: 0, live: 0 };
  for (const script of scripts) {
    const { responseBodySize } = await script.sizes();
    bytes[script.url().includes('/live-updates-') ? 'live' : 'screen'] += responseBodySize;
  }
  await page.close();
  return { screenKb: Math.round(bytes.screen / 1000), liveKb: Math.round(bytes.live / 1000) };
}

async function measureTable(page: Page) {
  const example = examples.find(({ schema }) => schema === App)!.example as App;
  const apps = Array.from({ length: ROWS }, (_, index) => ({
    ...example,
    icon_link: null,
    uuid: `01938f3e-5d20-7c41-9a6b-${String(index).padStart(12, '0')}`,
    name: `App ${(index * 7919) % ROWS}`,
  }));
  await page.route('**/api/internal/app?*', (route) => route.fulfill({ json: { data: { apps } } }));
  await page.route('**/api/internal/app', (route) => route.fulfill({ json: { data: { apps } } }));
  await page.goto(`${url}/assets?tab=apps`, { waitUntil: 'networkidle' });
  const sort = page.getByRole('columnheader', { name: /title/i }).getByRole('button').first();
  const next = page.getByRole('button', { name: /next/i }).first();
  const sortMs = await median(() => answerMs(page, sort, 'tbody'));
  const pageMs = await median(() => answerMs(page, next, 'tbody'));
  const bareMs = await page.evaluate(
    (names) => {
      const rows = names.map((name) => ({ name }));
      const collator = new Intl.Collator('en', { numeric: true });
      const begun = performance.now();
      rows.sort((a, b) => collator.compare(a.name, b.name));
      return performance.now() - begun;
    },
    apps.map(({ name }) => name),
  );
  await page.unrouteAll();
  return { sortMs, pageMs, bareMs: Number(bareMs.toFixed(1)) };
}

async function measureChart(page: Page): Promise<number> {
  const days = Array.from({ length: DAYS }, (_, index) =>
    new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
  );
  const highlight = (scale: number) => ({
    total: scale * DAYS,
    previous: scale,
    change_percent: 5,
    series: days.map((bucket, index) => ({ bucket, value: scale * (1 + Math.sin(index / 5)) })),
  });
  await page.route('**/analytics/highlight?*', (route) =>
    route.fulfill({
      json: {
        data: Object.fromEntries(
          ['spend', 'installs', 'impressions', 'cpi', 'clicks', 'cpm'].map((name, index) => [
            name,
            highlight(10 ** index),
          ]),
        ),
      },
    }),
  );
  await page.goto(`${url}/campaigns?from=${days[0]}&to=${days.at(-1)}`, { waitUntil: 'networkidle' });
  const group = (name: string) => page.getByRole('radio', { name, exact: true });
  for (const name of ['Week', 'Day']) {
    // The label covers the radio input.
    await group(name).dispatchEvent('click');
    await page.waitForLoadState('networkidle');
  }
  let turn = 0;
  const drawn = await median(async () => {
    turn += 1;
    return answerMs(page, group(turn % 2 === 0 ? 'Day' : 'Week'), 'figure caption ~ tbody');
  });
  await page.unrouteAll();
  return drawn;
}

/** Milliseconds from a click to the frame after the one in which the text of `shown` changes. */
async function answerMs(page: Page, what: ReturnType<Page['getByRole']>, shown: string): Promise<number> {
  const button = await what.elementHandle();
  return page.evaluate(
    // No named functions here: the transpiler would wrap them in a helper that does not exist in the page.
    async ([element, selector]) => {
      const before = document.querySelector(selector)!.textContent;
      const begun = performance.now();
      (element as HTMLElement).click();
      do {
        await new Promise((drawn) => requestAnimationFrame(drawn));
        if (performance.now() - begun > 5000) throw new Error(`A click changed nothing in ${selector}`);
      } while (document.querySelector(selector)!.textContent === before);
      await new Promise((drawn) => requestAnimationFrame(drawn));
      return performance.now() - begun;
    },
    [button, shown] as const,
  );
}

async function median(measure: () => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) values.push(await measure());
  return Math.round(values.sort((a, b) => a - b)[Math.floor(REPEATS / 2)]!);
}

async function logIn(page: Page): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Login').fill(DEMO_USER.login);
  await page.getByLabel('Password').first().fill(DEMO_USER.password);
  await page.getByLabel('I am not a robot').click();
  await page.getByLabel('Verified').waitFor();
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL(/\/campaigns/);
}
