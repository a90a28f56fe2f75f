import type { BidPage } from '@bidwell/contract/bid-log/schema';
import { expect, test } from 'vitest';
import { campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { testApp } from '@bidwell/testing/test-app';
import { pathOf, sampleRef } from '../trackers/sample-ref.ts';
import { BidSample } from './bid-sample.ts';

const app = await testApp({ MODERATION: 'auto' });
const SECOND_MS = 1000;

const newSample = (bidders = 1) => new BidSample({ random: () => 0.5, bidders: () => bidders });
const weightOf = (bids: readonly { weight: number }[]): number =>
  bids.reduce((sum, { weight }) => sum + weight, 0);

test('a company has one bid of the sample a second, and the weights add up to its bids', () => {
  const sample = newSample();
  const ref = sampleRef();
  for (let ms = 0; ms < 60 * SECOND_MS; ms += 10) sample.add(ref, ms);
  const bids = sample.take(60 * SECOND_MS);
  expect(bids).toHaveLength(60);
  // Bids after the last sampled bid count for the next one.
  expect(weightOf(bids)).toBe(59 * 100 + 1);
});

test('companies share the sample, and campaigns share the part of their company, even if one sends many bids', () => {
  const sample = newSample();
  const loud = sampleRef();
  const others = Array.from({ length: 9 }, () => sampleRef());
  const second = sampleRef({ companyId: loud.companyId });
  for (let ms = 0; ms < 100 * SECOND_MS; ms += 1) {
    for (let n = 0; n < 5; n += 1) sample.add(loud, ms);
    if (ms % 100 === 0) for (const ref of [...others, second]) sample.add(ref, ms);
  }
  const bids = sample.take(100 * SECOND_MS);
  const rows = (campaignId: string) => bids.filter((bid) => bid.campaignId === campaignId).length;
  // Five a second for ten companies; the first bid of each is always sampled.
  expect(Math.abs(bids.length - 500)).toBeLessThan(30);
  for (const { campaignId } of others) expect(Math.abs(rows(campaignId) - 50)).toBeLessThan(3);
  for (const { campaignId } of [loud, second]) expect(Math.abs(rows(campaignId) - 25)).toBeLessThan(3);
});

test('several bidders share the limits, and what cannot be stored is bounded', () => {
  const sample = newSample(4);
  const ref = sampleRef();
  for (let ms = 0; ms < 40 * SECOND_MS; ms += 10) sample.add(ref, ms);
  expect(sample.take(0)).toHaveLength(10);

  const full = newSample();
  for (let n = 0; n < 3000; n += 1) full.add(sampleRef(), 0);
  full.add(ref, 0);
  const waiting = full.take(0);
  expect(waiting).toHaveLength(2000);
  full.restore([...waiting, ...waiting]);
  expect(full.take(0)).toHaveLength(2000);
});

test('bids of a campaign are in its log: won and lost ones by their notices, the others by the sample', async () => {
  const exchange = await freshExchange(app);
  const { company, campaignUuid } = await campaignOn(app, exchange);
  await app.operator('PATCH', `/companies/${company.companyId}`, { margin_percent: 25 });
  await app.settled();
  const notify = (url: string) => app.http.inject(pathOf(url, '1.6').replace('${AUCTION_LOSS}', '102'));

  await exchange.bid();
  const [won, lost] = [await exchange.bid(), await exchange.bid()];
  await exchange.bid({ test: 1 });
  // A notice that is sent twice counts once.
  for (const url of [won.nurl, won.burl, won.burl]) await notify(url);
  await notify(lost.lurl);
  await app.settled();

  const day = (ms: number) => new Date(app.ctx.now().getTime() + ms).toISOString().slice(0, 10);
  const range = `start_date=${day(-86_400_000)}&end_date=${day(86_400_000)}`;
  const page = await company.call('GET', `/analytics/bids?${range}&campaign_uuid=${campaignUuid}`);
  // Bids of the same millisecond have no order.
  const bids = (page.data as BidPage).bids.toSorted((a, b) => (a.outcome < b.outcome ? -1 : 1));
  const all = { campaign: 'Campaign', adset: 'Ad set', creative: 'Banner', exchange_name: 'Exchange' };
  // The bid of $2.50 includes the margin: the exchange gets a bid of $2.00.
  expect(bids).toMatchObject([
    { ...all, outcome: 'lost', bid_cpm: 2.5, charge: 0, loss_code: 102, weight: 1 },
    {
      ...all,
      outcome: 'no_notice',
      bid_cpm: 2.5,
      charge: 0,
      weight: 1,
      bundle: 'com.publisher',
      country: 'US',
    },
    { ...all, outcome: 'won', bid_cpm: 2.5, charge: 0.002, weight: 1 },
  ]);
});
