import type { CampaignPrices } from '@bidwell/contract/campaign-reports/prices';
import fc from 'fast-check';
import { v4 as uuidv4 } from 'uuid';
import { expect, test } from 'vitest';
import { type SampleEvent, makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { runs } from '@bidwell/testing/whole-run';

const app = await testApp();
const DAY = '2026-01-10';
const at = `${DAY}T12:00:00Z`;

const read = async (company: TestCompany, campaign: string): Promise<CampaignPrices> => {
  const { status, data } = await company.call(
    'GET',
    `/campaign/${campaign}/prices?start_date=${DAY}&end_date=${DAY}`,
  );
  expect(status).toBe(200);
  return data as CampaignPrices;
};

test('bids, prices and savings are summed by exchange and country', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(app.ctx, company, 'Prices');
  const event = (more: Partial<SampleEvent>): SampleEvent => ({ at, kind: 'billing', campaignId, ...more });
  const shaded = { exchange: 'adx', country: 'DE', bidCpmMicros: 3_000_000, valueCpmMicros: 5_000_000 };
  const bidId = uuidv4();
  await storeEvents(app.ctx, company.companyId, [
    event({ ...shaded, spendMicros: 3000 }),
    event({ ...shaded, spendMicros: 2000 }),
    // An impression that was charged, and the billing notice with a higher price: one bid.
    event({
      bidId,
      kind: 'impression',
      exchange: 'adx',
      country: 'FR',
      bidCpmMicros: 4_000_000,
      spendMicros: 1000,
    }),
    event({ bidId, exchange: 'adx', country: 'FR', bidCpmMicros: 4_000_000, spendMicros: 500 }),
    // No charge, a test, another day, another campaign.
    event({ ...shaded, kind: 'win' }),
    event({ ...shaded, spendMicros: 9000, test: true }),
    event({ ...shaded, spendMicros: 9000, at: '2026-01-11T00:00:00Z' }),
    event({ ...shaded, spendMicros: 9000, campaignId: uuidv4() }),
  ]);
  const { rows, total, other } = await read(company, campaignId);
  expect(rows).toEqual([
    {
      exchange: 'adx',
      exchange_name: 'adx',
      country: 'DE',
      impressions: 2,
      value: 0.01,
      bid: 0.006,
      paid: 0.005,
      saved_by_shading: 0.004,
      saved_by_auction: 0.001,
      bid_cpm: 3,
      paid_cpm: 2.5,
    },
    {
      exchange: 'adx',
      exchange_name: 'adx',
      country: 'FR',
      impressions: 1,
      value: 0.004,
      bid: 0.004,
      paid: 0.0015,
      saved_by_shading: 0,
      saved_by_auction: 0.0025,
      bid_cpm: 4,
      paid_cpm: 1.5,
    },
  ]);
  expect(total).toMatchObject({ impressions: 3, paid: 0.0065, bid: 0.01, saved_by_shading: 0.004 });
  expect(other).toBeNull();
  const stranger = await app.freshCompany();
  const path = `/campaign/${campaignId}/prices?start_date=${DAY}&end_date=${DAY}`;
  expect((await stranger.call('GET', path)).status).toBe(404);
});

test('bids are compared with prices in the advertiser’s terms, with any margin', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(app.ctx, company, 'Margin');
  // A media price of $2 of a bid of $2.50, with a margin of 25 %.
  await storeEvents(app.ctx, company.companyId, [
    { at, kind: 'billing', campaignId, spendMicros: 2500, marginMicros: 500, bidCpmMicros: 2_500_000 },
  ]);
  const { total } = await read(company, campaignId);
  expect(total).toMatchObject({ paid: 0.0025, bid: 0.003125, bid_cpm: 3.125, paid_cpm: 2.5 });
});

test('the paid amount is the spend of the report to the micro, and value, bid and paid never rise in this order', async () => {
  const bids = fc.array(
    fc.record({
      spendMicros: fc.integer({ min: 0, max: 20_000 }),
      bidCpmMicros: fc.integer({ min: 0, max: 20_000_000 }),
      valueCpmMicros: fc.integer({ min: 0, max: 20_000_000 }),
      country: fc.constantFrom('DE', 'FR', ''),
      exchange: fc.constantFrom('adx', 'other'),
    }),
    { maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(bids, async (events) => {
      const company = await app.freshCompany();
      const campaignId = await makeCampaign(app.ctx, company, 'Any');
      await storeEvents(
        app.ctx,
        company.companyId,
        events.map((event) => ({ at, kind: 'billing', campaignId, ...event })),
      );
      const { rows, total } = await read(company, campaignId);
      const range = { start_date: DAY, end_date: DAY };
      const report = await company.call('POST', '/analytics/level', { ...range, levels: { os: '' } });
      expect(total.paid).toBe(report.data.total.spends);
      for (const row of [...rows, total]) {
        expect(row.value).toBeGreaterThanOrEqual(row.bid);
        expect(row.bid).toBeGreaterThanOrEqual(row.paid);
      }
    }),
    runs(8),
  );
});
