import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { adsetRowOf } from '@bidwell/testing/pacing/candidates';
import { type AuctionContext, runAuction } from './auction/auction.ts';
import { impressionMicros } from './auction/price.ts';
import { InstallPrices } from './learning/install-price.ts';
import { Learning } from './learning/learning.ts';
import { valuationOf } from './learning/valuation.ts';
import { DOLLARS_ONLY } from './model/bid-request.ts';
import { readBidRequest } from './openrtb/read/read-request.ts';
import { decideLeases } from './pacing/leases.ts';
import { dayAt, sharePerSecond } from './pacing/pace.ts';
import { compileSnapshot } from './snapshot/compile.ts';
import { chargeOf } from './trackers/price.ts';

const NOON_MS = Date.parse('2026-05-04T12:00:00Z');
const STEP_MS = 15_000;
const DAILY_BUDGET_MICROS = 120_000_000;
const PACE = 0.5;

const request = {
  id: 'r',
  at: 2,
  imp: [{ id: '1', banner: { w: 320, h: 50 }, bidfloor: 1 }],
  app: { bundle: 'com.publisher' },
  device: { os: 'Android', geo: { country: 'USA' } },
};
const margin = { marginBasisPoints: 2000 };
const rows = [
  adsetRowOf({
    ...margin,
    campaignName: 'A',
    cpmMicros: 9_000_000,
    target: { location_include: ['FR'] },
  }),
  adsetRowOf({ ...margin, campaignName: 'B', cpmMicros: 2_400_000 }),
  adsetRowOf({
    ...margin,
    campaignName: 'C',
    algorithm: 'Max installs',
    cpmMicros: 6_000_000,
    dailyBudgetMicros: DAILY_BUDGET_MICROS,
  }),
];

test('the worked example of docs/delivery.md has the figures that the code computes', () => {
  const page = readFileSync(new URL('../../../../docs/delivery.md', import.meta.url), 'utf8');
  const [, table] = page.split('## A worked example');
  const stated = [...table!.split('\n## ')[0]!.matchAll(/^\| ([^|]+?) +\|[^|]+\| ([^|]+?) +\|$/gm)]
    .map(([, step, result]) => [step, result])
    .slice(2);
  expect(stated).toEqual(Object.entries(figures()));
});

/** The figures of the example by step, as the page states them. */
function figures(): Record<string, string> {
  const learning = new Learning();
  const parsed = readBidRequest(request, 'sample', { rates: DOLLARS_ONLY })!;
  const snapshot = compileSnapshot(rows);
  const [b, c] = ['B', 'C'].map((name) => snapshot.candidates.find((one) => one.campaignName === name)!);
  const initialPrice = learning.expectedInstallMicros(c!.cpmMicros);
  const installPrices = new InstallPrices();
  installPrices.priceOf(c!.adsetId, initialPrice, PACE, NOON_MS - STEP_MS);
  const deps = { learning, installPrices, paceOf: () => PACE, random: () => 0.5 };
  const context: AuctionContext = {
    nowMs: NOON_MS,
    random: () => 0.5,
    newBidId: () => '019a0000-0000-7000-8000-000000000001',
    noBidReason: () => null,
    exhausted: null,
    valuation: valuationOf(parsed, NOON_MS, deps),
    chargeOn: 'billing',
    secure: true,
  };
  const matching = rows.filter(
    (row) => runAuction(parsed, compileSnapshot([row]), context).reason !== 'country',
  );
  const [bid] = runAuction(parsed, snapshot, context).bids;
  const { ref, candidate } = bid!;
  const plain = { keys: null, unreadable: 'bid', deviceNotices: 'none' } as const;
  const charge = chargeOf('billing', ref, '2.50', plain);
  const prediction = learning.predict({ format: '320x50', bundle: 'com.publisher', country: 'USA' });
  return {
    'Ad sets whose target matches': String(matching.length),
    'Highest price of B for the exchange': cpm(b!.cpmMicros),
    'Highest price of C for the exchange': cpm(c!.cpmMicros),
    'Expected installs of a thousand impressions': (prediction.rateOf(c!) * 1000).toFixed(2),
    'First price of an install for C': dollars(initialPrice, 2),
    'Price of an install for C now': dollars(installPrices.lastPriceOf(c!.adsetId, initialPrice), 2),
    'Value of the impression to B': cpm(b!.cpmMicros),
    'Value of the impression to C': cpm(ref.valueCpmMicros ?? ref.bidCpmMicros),
    'Ad set that bids': candidate.campaignName,
    Bid: cpm(ref.bidCpmMicros),
    'Reserved in the lease of C': dollars(impressionMicros(ref.bidCpmMicros, ref.marginBasisPoints), 6),
    'Clearing price': cpm(2_500_000),
    'Charge for the impression': dollars(charge.spendMicros, 6),
    'Margin in the charge': dollars(charge.marginMicros, 6),
    ...pacing(),
  };
}

/** Half of the day's budget is spent at noon, and the last 15 seconds at half of the offers had 11 impressions. */
function pacing(): Record<string, string> {
  const evenTraffic = Array.from({ length: 96 }, () => 1 / 96);
  const share = sharePerSecond(evenTraffic, dayAt(NOON_MS, 'UTC'), NOON_MS)!;
  const spentMicros = 60_000_000;
  const stepMicros = 33_000;
  const [decision] = decideLeases(
    [
      {
        adsetId: 'c',
        companyId: 'company',
        timeZone: 'UTC',
        minimumMicros: 0,
        requestedMicros: 0,
        reservedMicros: 0,
        reservedMs: 0,
        expectedMicros: 0,
        unitMicros: 7200,
        dailyBudgetMicros: DAILY_BUDGET_MICROS,
        totalBudgetMicros: null,
        fundsMicros: 1e12,
        sharePerSecond: share,
      },
    ],
    {
      adsets: new Map([
        [
          'c',
          {
            dayMicros: spentMicros,
            everMicros: spentMicros,
            leasedMicros: 0,
            ownMicros: 0,
            pace: {
              share: PACE,
              atMs: NOON_MS - STEP_MS,
              dayMicros: spentMicros - stepMicros,
              spentMicros: 0,
              openSeconds: 0,
            },
          },
        ],
      ]),
      companies: new Map([['company', { spentMicros, leasedMicros: 0 }]]),
    },
    1,
    NOON_MS,
  );
  return {
    'Planned spend per second': dollars(share * (DAILY_BUDGET_MICROS - spentMicros), 6),
    'Spend per second at all offers': dollars(stepMicros / (PACE * (STEP_MS / 1000)), 6),
    'Share of offers from now on': `${(decision!.lease.pace * 100).toFixed(1)} %`,
  };
}

function dollars(micros: number, digits: number): string {
  return `$${(micros / 1e6).toFixed(digits)}`;
}

function cpm(micros: number): string {
  return `${dollars(micros, 2)} CPM`;
}
