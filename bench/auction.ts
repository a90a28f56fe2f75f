/**
 * What our own auction costs a bid request, beside JSON.parse of the same request, at several numbers of running ad sets.
 * Measured in turns in one process; nothing but the auction runs: no HTTP, no database.
 */
import { v7 as uuidv7 } from 'uuid';
import type { AuctionContext } from '../packages/server/src/delivery/auction/auction.ts';
import { runAuction } from '../packages/server/src/delivery/auction/auction.ts';
import { PRIOR_INSTALL_RATE } from '../packages/server/src/delivery/auction/price.ts';
import { readBidRequest } from '../packages/server/src/delivery/openrtb/read-request.ts';
import { compileSnapshot } from '../packages/server/src/delivery/snapshot/compile.ts';
import { adsetRowOf, bannerOf } from '../packages/server/src/testing/candidates.ts';
import { leasedBudgets } from '../packages/server/src/testing/leased-budgets.ts';

const ADSETS = [100, 1000, 5000];
const ROUNDS = 15;
const ROUND_MS = 40;
const SIZES = [bannerOf(320, 50), bannerOf(300, 250), bannerOf(320, 480)];
const COUNTRIES = ['US', 'DE', 'FR', 'BR', 'IN', 'JP', 'GB', 'ID', 'MX', 'TR'];
const nowMs = Date.now();

const text = JSON.stringify({
  id: uuidv7(),
  at: 1,
  tmax: 300,
  imp: [
    {
      id: '1',
      bidfloor: 0.5,
      bidfloorcur: 'USD',
      secure: 1,
      banner: {
        w: 320,
        h: 50,
        format: [{ w: 320, h: 50 }],
        api: [5, 6],
        battr: [1, 3],
        mimes: ['image/png'],
      },
    },
  ],
  app: {
    id: '17',
    name: 'A publisher',
    bundle: 'com.publisher.game',
    cat: ['IAB9-30', 'IAB1'],
    storeurl: 'https://play.google.com/store/apps/details?id=com.publisher.game',
    publisher: { id: '4', name: 'Publisher' },
  },
  device: {
    ua: 'Mozilla/5.0 (Linux; Android 12; Pixel 6) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120 Mobile Safari/537.36',
    ip: '203.0.113.9',
    os: 'Android',
    osv: '12',
    make: 'Google',
    model: 'Pixel 6',
    language: 'en',
    devicetype: 4,
    connectiontype: 2,
    ifa: '6d92078a-8246-4ba4-ae5b-76104861e7dc',
    geo: { country: 'USA', city: 'Austin', type: 2 },
  },
  bcat: ['IAB25', 'IAB26'],
  badv: ['blocked.example', 'other.example'],
  cur: ['USD'],
  regs: { coppa: 0, ext: { gdpr: 0 } },
});
const request = readBidRequest(JSON.parse(text), 'sample')!;

/** A third of the ad sets names no country, the rest three; every other one is for iOS; prices from 0.50 to 10.49. */
function snapshotOf(adsets: number, languages: string[]) {
  const rows = Array.from({ length: adsets }, (_unused, index) => {
    const row = adsetRowOf({
      cpmMicros: 500_000 + ((index * 7919) % 1000) * 10_000,
      dailyBudgetMicros: 50_000_000,
      blackList: ['com.unwanted'],
      creatives: SIZES.slice(0, 1 + (index % 3)),
      target: {
        location_include: index % 3 === 0 ? [] : [0, 3, 7].map((step) => COUNTRIES[(index + step) % 10]!),
        language_include: languages,
      },
    });
    return index % 2 === 0 ? row : { ...row, app: { ...row.app, os: 'ios' as const } };
  });
  const snapshot = compileSnapshot(rows, nowMs);
  const { budgets } = leasedBudgets(snapshot.candidates, 1e15, nowMs);
  const context: AuctionContext = {
    nowMs,
    random: Math.random,
    newBidId: uuidv7,
    refusal: (candidate, micros) => budgets.refusal(candidate, micros, nowMs),
    installRate: () => PRIOR_INSTALL_RATE,
    chargeOn: 'billing',
    secure: true,
  };
  return () => runAuction(request, snapshot, context).bids.length;
}

/** Microseconds of one call. */
function timeOf(work: () => unknown): number {
  const startMs = performance.now();
  let calls = 0;
  let elapsedMs = 0;
  while (elapsedMs < ROUND_MS) {
    for (let call = 0; call < 20; call += 1) work();
    calls += 20;
    elapsedMs = performance.now() - startMs;
  }
  return (elapsedMs * 1000) / calls;
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

const reference = { name: 'JSON.parse', work: () => JSON.parse(text) as unknown, timesUs: [] as number[] };
const bidding = ADSETS.map((adsets) => ({
  name: `${adsets} ad sets, a bid`,
  work: snapshotOf(adsets, []),
  timesUs: [] as number[],
}));
// The most that the auction can cost: no ad set fits, and each had to be asked.
const refusing = ADSETS.map((adsets) => ({
  name: `${adsets} ad sets, none fits`,
  work: snapshotOf(adsets, ['de']),
  timesUs: [] as number[],
}));
if (bidding.some(({ work }) => work() !== 1) || refusing.some(({ work }) => work() !== 0))
  throw new Error('The bench does not measure what it says.');

const all = [reference, ...bidding, ...refusing];
for (const { work } of all) timeOf(work);
for (let round = 0; round < ROUNDS; round += 1) for (const one of all) one.timesUs.push(timeOf(one.work));

const us = (one: { timesUs: number[] }) => Number(median(one.timesUs).toFixed(2));
for (const one of all)
  console.log(
    `${one.name.padEnd(26)} ${us(one).toFixed(2).padStart(8)} µs   ${(us(one) / us(reference)).toFixed(2)} of JSON.parse`,
  );
console.log(
  JSON.stringify({
    bench: 'auction',
    ratio: Number((us(bidding.at(-1)!) / us(reference)).toFixed(2)),
    referenceUs: us(reference),
    ...Object.fromEntries(ADSETS.map((adsets, index) => [`bidUs${adsets}`, us(bidding[index]!)])),
    ...Object.fromEntries(ADSETS.map((adsets, index) => [`noBidUs${adsets}`, us(refusing[index]!)])),
  }),
);
