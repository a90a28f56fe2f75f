import {
  ALL_METRICS,
  APP_EVENT_METRICS,
  RE_ENGAGEMENT_METRICS,
  type ReportMetric,
} from '@bidwell/contract/reports/metrics';
import { readFile } from 'node:fs/promises';
import { type Locator, type Page, expect } from '@playwright/test';
import { z } from 'zod';
import { seriousViolations } from '../support/accessibility.ts';
import { runningCampaign } from '../support/company.ts';
import { bidFor, click, win } from '../support/exchange.ts';
import { errorsOf } from '../support/page-errors.ts';
import { test } from '../support/test.ts';
import { signIn, signInWithCampaign } from '../support/session.ts';

test('a report is compared with the previous period and exported in full, as are the events of a day @journey', async ({
  page,
  server,
}) => {
  await signInWithCampaign(page, server);
  await page.route('**/analytics/level', async (route) => {
    const body = route.request().postDataJSON() as { compare?: boolean; levels: object };
    const figures = (spends: number) => ({
      spends,
      clicks: 10,
      installs: 2,
      impressions: 1000,
      ctr: 1,
      cpm: spends,
      cpi: spends / 2,
    });
    const compared = (now: number, before: number) => ({
      ...figures(now),
      ...(body.compare && { previous: figures(before) }),
    });
    const level = Object.keys(body.levels)[0];
    const rows = [{ level, value: 'x', name: 'Lumen', ...compared(30, 20), children: [] }];
    await route.fulfill({ json: { data: { rows, total: compared(30, 20) } } });
  });
  await page.goto(`${server.url}/reports`);
  const row = page.getByRole('table', { name: 'Report' }).getByRole('row', { name: /Lumen/ });
  await expect(row).toContainText('$30.00');
  await expect(row).not.toContainText('+50.0%');
  await page.getByRole('switch', { name: 'Compare' }).click();
  await expect(row).toContainText('+50.0%');
  await expect(page).toHaveURL(/compare=true/);
  await page.reload();
  await expect(row).toContainText('+50.0%');

  const whole = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'CSV of all rows' }).click();
  const report = await whole;
  expect(report.suggestedFilename()).toMatch(/^bidwell-campaign-all-.*\.csv$/);
  expect(await readFile(await report.path(), 'utf8')).toMatch(/^\uFEFFadset,adset_name,creative_type,/);

  const day = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Events of a day…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Events of a day' });
  await dialog.getByText('Parquet', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Download' }).click();
  const events = await day;
  expect(events.suggestedFilename()).toMatch(/^bidwell-events-.*\.parquet$/);
  expect((await readFile(await events.path())).subarray(0, 4).toString()).toBe('PAR1');
});

test('in-app events and their revenue are columns of a report, its exports and the campaigns', async ({
  page,
  market: server,
}) => {
  const errors = errorsOf(page);
  const { company, path } = await runningCampaign(server);
  const { secret } = await company.api.get('/postbacks', z.object({ secret: z.string() }));
  const bid = await bidFor(server.url, path, 'first');
  await win(bid, 2);
  const clickId = (await click(bid)).searchParams.get('clickid')!;
  const postback = async (query: string) => {
    const response = await fetch(`${server.url}/postback/appsflyer/${secret}?clickid=${clickId}${query}`, {
      headers: { prefer: 'wait=3' },
    });
    return ((await response.json()) as { data: { outcome: string } }).data.outcome;
  };
  // The click is stored before its redirect, and looked up once it is in the event database.
  await expect.poll(() => postback(''), 'the install').toMatch(/^(stored|duplicate)$/);
  for (const [id, revenue] of ['4.99', '10'].entries())
    await expect
      .poll(() => postback(`&event_name=purchase&event_id=${id}&revenue=${revenue}&currency=USD`))
      .toMatch(/^(stored|duplicate)$/);

  await signIn(page, server, company);
  await page.goto(`${server.url}/reports?metrics=spends,installs,app_events,payers,revenue,roas`);
  const table = page.getByRole('table', { name: 'Report' });
  const total = table.getByRole('row', { name: /^Total/ });
  await expect(table.getByRole('button', { name: 'ROAS' })).toBeVisible();
  await expect(total).toContainText('$14.99');
  await page.getByRole('button', { name: 'In-app events: none' }).click();
  await expect(page.getByRole('combobox', { name: 'In-app events' })).toBeFocused();
  await page.getByRole('option', { name: 'purchase' }).click();
  await page.keyboard.press('Escape');
  await expect(table.getByRole('button', { name: 'purchase: cost' })).toBeVisible();
  await expect(page).toHaveURL(/events=/);
  await page.reload();
  await expect(page.getByRole('button', { name: 'In-app events: 1' })).toBeVisible();
  await expect(table.getByRole('button', { name: 'purchase: people' })).toBeVisible();
  await expect(total).toContainText('$14.99');
  await page.getByLabel('Left axis').selectOption('Revenue');
  await expect(page.getByRole('table', { name: 'Revenue and Installs over time' })).toContainText('$14.99');
  expect(await seriousViolations(page)).toEqual([]);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'CSV of all rows' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  expect(text).toMatch(/,revenue,roas,purchase: count,purchase: people,purchase: cost_per_event\r\n/);
  expect(text).toMatch(/,2,1,14\.99,[\d.]+,2,1,[\d.]+\r\n/);

  await page.goto(`${server.url}/campaigns`);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('group', { name: 'Columns' }).getByLabel('Revenue', { exact: true }).check();
  await page.getByRole('group', { name: 'Columns' }).getByLabel('ARPPU').check();
  await page.keyboard.press('Escape');
  const campaign = page.getByRole('table', { name: 'campaigns' }).getByRole('row', { name: /Spring launch/ });
  await expect(campaign.getByRole('cell', { name: '$14.99', exact: true })).toHaveCount(2);
  // The highlights have no revenue: the chart has a report of it.
  await page.getByLabel('Left axis').selectOption('Revenue');
  await page.getByLabel('Right axis').selectOption('ROAS');
  await expect(page.getByRole('table', { name: 'Revenue and ROAS over time' })).toContainText('$14.99');
  await page.reload();
  await expect(page.getByRole('table', { name: 'Revenue and ROAS over time' })).toContainText('$14.99');
  expect(errors).toEqual([]);
});

/** Opens the report with these metrics, each of a long figure, on a screen of 1440 px. */
async function openReportOf(page: Page, url: string, metrics: readonly ReportMetric[]): Promise<Locator> {
  await page.route('**/analytics/level', async (route) => {
    const figures = Object.fromEntries(metrics.map((metric) => [metric, 12_345.67]));
    const row = { level: 'adset', value: 'x', name: 'North America, price per install', ...figures };
    await route.fulfill({ json: { data: { rows: [{ ...row, children: [] }], total: figures } } });
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${url}/reports?metrics=${metrics.join(',')}`);
  const table = page.getByRole('table', { name: 'Report' });
  await expect(table.getByRole('button', { name: 'Invalid installs' })).toBeVisible();
  await expect(table.getByRole('row', { name: /North America/ })).toBeVisible();
  return table;
}

test('a report with the metrics of delivery fits a screen of 1440 px', async ({ page, server, demo }) => {
  const ofPeople: readonly string[] = [...APP_EVENT_METRICS, ...RE_ENGAGEMENT_METRICS];
  const metrics = ALL_METRICS.filter((metric) => !ofPeople.includes(metric));
  await signIn(page, server, demo);
  const table = await openReportOf(page, server.url, metrics);
  const box = (await table.boundingBox())!;
  expect(box.x + box.width).toBeLessThanOrEqual(1440);
});

test('a report with all metrics fits a screen of 1440 px, and scrolls next to its names', async ({
  page,
  server,
  demo,
}) => {
  await signIn(page, server, demo);
  const table = await openReportOf(page, server.url, ALL_METRICS);
  const heads = table.getByRole('row').first().getByRole('columnheader');
  await expect(heads).toHaveCount(1 + ALL_METRICS.length);
  const frame = page.getByRole('region', { name: 'Report' });
  const { x, width } = (await frame.boundingBox())!;
  expect(x + width).toBeLessThanOrEqual(1440);
  const name = table.getByRole('cell', { name: /North America/ });
  const before = (await name.boundingBox())!;
  const shadow = () => name.evaluate((cell) => getComputedStyle(cell, '::after').getPropertyValue('opacity'));
  expect(await shadow()).toBe('0');
  // By the keyboard, as someone without a trackpad does.
  await frame.focus();
  await expect(async () => {
    await page.keyboard.press('ArrowRight');
    await expect(heads.last()).toBeInViewport({ ratio: 1, timeout: 50 });
  }).toPass();
  await expect.poll(shadow).toBe('1');
  for (const cell of [heads.first(), name, table.getByRole('columnheader', { name: 'Total' })])
    await expect(cell).toBeInViewport({ ratio: 1 });
  expect(await name.boundingBox()).toEqual(before);
  const covered = (await heads.last().boundingBox())!.x - before.x - before.width;
  expect(covered).toBeGreaterThanOrEqual(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1440);
  expect(await seriousViolations(page)).toEqual([]);
});
