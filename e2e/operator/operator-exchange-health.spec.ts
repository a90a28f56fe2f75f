import { expect } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { seriousViolations } from '../support/accessibility.ts';
import { logInAsOperator } from '../support/operator.ts';
import type { Server } from '../support/server.ts';
import { errorsOf } from '../support/page-errors.ts';
import { test } from '../support/test.ts';

async function freshExchange(server: Server, settings: object = {}) {
  const slug = `exchange-${randomUUID().slice(0, 8)}`;
  const { path } = await server.operator<{ path: string }>('PUT', `/ssps/${slug}`, {
    name: 'Alpha',
    ...settings,
  });
  /** Sends requests of a web page, which never get a bid, or with other parts. */
  const send = async (requests: number, parts: object = { site: {} }) => {
    for (let sent = 0; sent < requests; sent += 1) {
      const body = { id: randomUUID(), imp: [{ id: '1', banner: { w: 320, h: 50 } }], ...parts };
      const post = () => fetch(server.url + path, { method: 'POST', body: JSON.stringify(body) });
      // The bidder knows a new exchange a moment later; until then it answers 404.
      await expect.poll(async () => (await post()).status).toBe(204);
    }
  };
  return { slug, send };
}

test('an operator watches the traffic of an exchange, and switches it off with one click', async ({
  page,
  server,
}) => {
  const errors = errorsOf(page);
  const exchange = await freshExchange(server, { requests_per_second: 1000 });
  await logInAsOperator(page, server);
  await page.goto(`${server.url}/operator/exchanges/${exchange.slug}`);
  await expect(page.getByText('Last hour: no requests arrived')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);

  await exchange.send(12);
  const reasons = page.getByRole('table', { name: 'No bids by reason' });
  // Counts are stored every ten seconds, and the screen requests them as often.
  // On a busy machine some of the twelve requests are too slow.
  await expect(reasons.getByRole('row', { name: /^Not in an app \d+ \d+\.\d\d%$/ })).toBeVisible();
  await expect(page.getByText('12 requests: 0 with a bid, 0 unreadable, 0 failed.')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Bid rate' })).toContainText('Last hour: 0.0%');
  await expect(page.getByRole('group', { name: 'Requests per second' })).toContainText(
    /Limit: 1.000, without requests on which no ad set can bid/,
  );
  await expect(page.getByText('No loss notices arrived.')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Latency, ms by minute' })).toBeAttached();
  expect(await seriousViolations(page)).toEqual([]);

  await page.getByText('24 hours', { exact: true }).click();
  await expect(page).toHaveURL(/minutes=1440/);
  await expect(page.getByRole('group', { name: 'Bid rate' })).toContainText('Last 24 hours: 0.0%');
  await page.getByRole('button', { name: 'Earlier' }).click();
  await expect(page.getByText(/^24 hours until .*: no requests arrived$/)).toBeVisible();
  await page.getByRole('button', { name: 'Later' }).click();
  await expect(page).not.toHaveURL(/until=/);
  await expect(reasons).toBeVisible();

  // A step back also begins now while the figures are still loading.
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/minutes=360/, async (route) => {
    await released;
    await route.continue();
  });
  await page.getByText('6 hours', { exact: true }).click();
  await page.getByRole('button', { name: 'Earlier' }).click();
  await expect(page).toHaveURL(/until=(%22)?20\d\d-/);
  release();
  await expect(page.getByText(/^6 hours until .*: no requests arrived$/)).toBeVisible();

  await page.getByRole('switch', { name: 'Alpha receives bids' }).press('Space');
  await expect(page.getByText('The exchange is off')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test('an exchange that sends more than its limit has a report of what was skipped', async ({
  page,
  server,
}) => {
  const errors = errorsOf(page);
  const exchange = await freshExchange(server, { requests_per_second: 1 });
  // Where a number is a text, only the request as a whole says whether an ad set can bid.
  await exchange.send(40, { tmax: '200', app: { bundle: 'com.example.puzzle' } });
  await logInAsOperator(page, server, 'viewer');
  await page.goto(`${server.url}/operator/exchanges/${exchange.slug}`);
  const skipped = page.getByRole('table', { name: 'Skipped requests of the most value' });
  await expect(skipped.getByRole('row', { name: /^All others \d+ \d+ -$/ })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Skipped', exact: true })).toContainText(
    /of the requests on which an ad set can bid; \d+ of all kinds were not looked at$/,
  );
  await expect(page.getByRole('group', { name: 'Estimated value skipped, a day' })).toContainText(
    'Not known yet: too few requests were read.',
  );
  await expect(page.getByText('The values of the requests are not known yet.')).toBeVisible();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV of skipped requests' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`skipped-${exchange.slug}.csv`);
  expect(await text(await file.createReadStream())).toMatch(
    /^\uFEFF?Country,System,Format,Requests,Skipped,[^\n]+\r?\nAll others,,,\d+,\d+,\r?\n?$/,
  );
  expect(await seriousViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test('the list of exchanges has the traffic of each', async ({ page, server }) => {
  const exchange = await freshExchange(server);
  await exchange.send(3);
  await logInAsOperator(page, server, 'viewer');
  await page.goto(`${server.url}/operator/exchanges?q=${exchange.slug}`);
  const row = page.getByRole('row', { name: new RegExp(exchange.slug) });
  await expect(row.getByText('0.0%')).toBeVisible();
  await expect(row.getByText('no limit')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
});
