import { ALL_METRICS, APP_EVENT_METRICS } from '@bidwell/contract/reports/metrics';
import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { freshCompany } from './support/company.ts';
import { test } from './support/test.ts';
import { signIn } from './support/session.ts';

test('an API token is created, shown once, works, and is revoked', async ({ page, server }) => {
  await signIn(page, server, await freshCompany(server));
  await page.goto(`${server.url}/profile`);
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog', { name: 'New API token' });
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await expect(dialog.getByText('Required')).toBeVisible();
  await dialog.getByLabel('Name').fill('Nightly report');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const secret = (await dialog.getByTestId('api-token').innerText()).trim();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('table', { name: 'API tokens' }).getByRole('row', { name: /Nightly report/ });
  await expect(row).toContainText(`…${secret.slice(-4)}`);
  await expect(row).toContainText('Never');
  await expect(page.getByText(secret)).toHaveCount(0);
  const status = async () => {
    const days = 'start_date=2026-01-01&end_date=2026-01-02';
    const answer = await fetch(`${server.url}/api/internal/v2/analytics/highlight?${days}`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    return answer.status;
  };
  expect(await status()).toBe(200);
  await row.getByRole('button', { name: 'Revoke Nightly report' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('There are no tokens yet.')).toBeVisible();
  expect(await status()).toBe(401);
});

test('a report is compared with the previous period and exported in full, as are the events of a day', async ({
  page,
  server,
  demo,
}) => {
  await signIn(page, server, demo);
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
  expect(await readFile(await report.path(), 'utf8')).toMatch(/^adset,adset_name,creative_type,/);

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

test('a report with the metrics of delivery fits a screen of 1440 px', async ({ page, server, demo }) => {
  const metrics = ALL_METRICS.filter((metric) => !(APP_EVENT_METRICS as readonly string[]).includes(metric));
  await signIn(page, server, demo);
  await page.route('**/analytics/level', async (route) => {
    const figures = Object.fromEntries(metrics.map((metric) => [metric, 12_345.67]));
    const row = { level: 'adset', value: 'x', name: 'North America, price per install', ...figures };
    await route.fulfill({ json: { data: { rows: [{ ...row, children: [] }], total: figures } } });
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${server.url}/reports?metrics=${metrics.join(',')}`);
  const table = page.getByRole('table', { name: 'Report' });
  await expect(table.getByRole('button', { name: 'Invalid installs' })).toBeVisible();
  await expect(table.getByRole('row', { name: /North America/ })).toBeVisible();
  const box = (await table.boundingBox())!;
  expect(box.x + box.width).toBeLessThanOrEqual(1440);
});
