import type { Counts } from '@bidwell/exchange/counts';
import { startExchange } from '@bidwell/exchange/run';
import type { Ssp } from '@bidwell/contract/operator/schema';
import { expect, test } from '@playwright/test';
import { bidFor, click, win } from '../support/exchange.ts';
import { launchCampaign } from '../support/launch.ts';
import { cluster } from './local-cluster.ts';

const IMPRESSIONS_MIN = 25;
const dollars = (micros: number) => `$${(micros / 1_000_000).toFixed(2)}`;

/** Lets the sample exchange send traffic until it has shown some ads; resolves to what it charged. */
async function sendTraffic(url: string, { slug, secret }: Ssp): Promise<Readonly<Counts>> {
  const stop = new AbortController();
  const exchange = startExchange({
    url,
    ssp: slug,
    ...(secret && { secret }),
    requestsPerSecond: 60,
    steady: true,
    seed: 1,
    // All processes and the browser share the machine; every notice has to arrive.
    callTimeoutMs: 60_000,
    auctionsMax: 8,
    signal: stop.signal,
  });
  try {
    await expect
      .poll(() => exchange.counts().impressions, { timeout: 180_000 })
      .toBeGreaterThanOrEqual(IMPRESSIONS_MIN);
  } finally {
    stop.abort();
    await exchange.finished;
  }
  return exchange.counts();
}

/** Wins an auction, clicks on the ad and reports an install. Resolves to the price that was charged, in micros. */
async function buyInstall(url: string, { path }: Ssp, postbackSecret: string): Promise<number> {
  const bid = await bidFor(url, path, 'with-install');
  await win(bid, 2);
  const clickId = (await click(bid)).searchParams.get('clickid')!;
  const postback = `${url}/postback/appsflyer/${postbackSecret}?clickid=${encodeURIComponent(clickId)}`;
  expect((await fetch(postback)).status).toBe(200);
  return 2000;
}

/** The sum of a metric of a process. */
async function metricAt(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))];
  return values.reduce((total, [, value]) => total + Number(value), 0);
}

test('a new advertiser buys installs over two processes of each role, and sees exactly what they cost', async ({
  page,
}) => {
  const { server, processes } = cluster();
  const { url } = server;
  const { exchange, postback_secret: secret } = await launchCampaign(page, server);
  const installCost = await buyInstall(url, exchange, secret);
  const charged = await test.step('the sample exchange sends traffic', () => sendTraffic(url, exchange));
  expect(charged).toMatchObject({ badAnswers: 0, noticeFailures: 0 });
  const impressions = String(charged.impressions + 1);
  const spend = dollars(charged.spendMicros + installCost);

  await test.step('the open page shows the figures without being loaded again', async () => {
    await expect(page.getByTestId('highlight-impressions')).toHaveText(impressions);
    await expect(page.getByTestId('highlight-installs')).toHaveText('1');
    await expect(page.getByTestId('highlight-spend')).toHaveText(spend);
  });

  await test.step('a report shows the same figures', async () => {
    await page.goto(`${url}/reports`);
    const row = page.getByRole('row', { name: /Broad reach/ });
    for (const figure of [spend, impressions, '1'])
      await expect(row.getByRole('cell', { name: figure, exact: true }).first()).toBeVisible();
  });

  await test.step('every bidder and tracker took part', async () => {
    for (const bidder of processes('bidder'))
      expect(await metricAt(bidder, 'bidwell_bid_requests_total')).toBeGreaterThan(0);
    for (const tracker of processes('tracker'))
      expect(await metricAt(tracker, 'bidwell_tracker_requests_total')).toBeGreaterThan(0);
  });
});
