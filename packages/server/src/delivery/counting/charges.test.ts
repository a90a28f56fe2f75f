import { readFileSync } from 'node:fs';
import type { ChargeOn, DeviceNotices, UnreadablePriceRule } from '@bidwell/contract/operator/schema';
import { expect, test } from 'vitest';
import { partnersOf } from '@bidwell/testing/partners';
import { testApp } from '@bidwell/testing/test-app';
import { pathOf, sampleRef } from '../trackers/sample-ref.ts';
import type { BidRef } from '../model/event.ts';

/** A case: the notices of a bid of $4 as the tracker gets them, `KIND PRICE`, and the micros that each kind charges. */
interface Case {
  name: string;
  charge_on: ChargeOn;
  device_notices?: DeviceNotices;
  unreadable_price?: UnreadablePriceRule;
  margin_basis_points?: number;
  test?: boolean;
  notices: `${'win' | 'billing' | 'impression' | 'loss'} ${string}`[];
  charged: Record<string, number>;
}

const cases = JSON.parse(
  readFileSync(new URL('charge-cases.json', import.meta.url), 'utf8'),
) as readonly Case[];
const HOUR_MS = 3_600_000;
const app = await testApp();
const { signer } = partnersOf(app);

/** The exchange with the settings of a case. */
const exchangeOf = ({ device_notices = 'none', unreadable_price = 'bid' }: Case) => ({
  slug: `charges-${device_notices}-${unreadable_price}`,
  settings: { name: 'Exchange', device_notices, unreadable_price },
});

const exchanges = new Map(cases.map(exchangeOf).map(({ slug, settings }) => [slug, settings]));
for (const [slug, settings] of exchanges) await app.operator('PUT', `/ssps/${slug}`, settings);
await app.settled();

/** A bid of each case. */
const bidsOf = (ageMs: number, auctionType: 1 | 2): [Case, BidRef][] =>
  cases.map((of) => [
    of,
    sampleRef(
      {
        exchange: exchangeOf(of).slug,
        auctionType,
        chargeOn: of.charge_on,
        marginBasisPoints: of.margin_basis_points ?? 0,
        test: of.test ?? false,
      },
      Date.now() - ageMs,
    ),
  ]);

/** Sends the notices of each bid one after the other. */
async function send(bids: readonly [Case, BidRef][], from?: number, before?: number): Promise<void> {
  const sendAll = async ([{ notices }, ref]: [Case, BidRef]) => {
    const urls = signer.urlsFor(ref);
    for (const notice of notices.slice(from, before)) {
      const [kind, price] = notice.split(' ') as ['win' | 'billing' | 'impression' | 'loss', string];
      expect((await app.http.inject(pathOf(urls[kind], price))).statusCode).toBe(200);
    }
  };
  await Promise.all(bids.map(sendAll));
}

/** Expects each bid to be charged as its case says. */
async function expectCharges(sent: readonly [Case, BidRef][]): Promise<void> {
  await app.settled();
  const rows = await app.ctx.clickhouse.query<{ bid: string; kind: string; spend: number }>(
    `select bid_id as bid, kind, sum(spend_micros) as spend from events where bid_id in {bidIds:Array(UUID)}
     group by bid, kind having spend != 0`,
    { bidIds: sent.map(([, { bidId }]) => bidId) },
  );
  const chargedOf = ({ bidId }: BidRef) =>
    Object.fromEntries(rows.filter(({ bid }) => bid === bidId).map(({ kind, spend }) => [kind, spend]));
  expect(sent.map(([{ name }, ref]) => [name, chargedOf(ref)])).toEqual(
    sent.map(([{ name, charged }]) => [name, charged]),
  );
}

// The events of a bid from before the deduplication window are looked up. The type of the auction changes no charge.
test.each([
  ['a new bid of a first-price auction', 0, 1 as const],
  ['a new bid of a second-price auction', 0, 2 as const],
  ['a bid of three hours ago', 3 * HOUR_MS, 1 as const],
])('charges of %s', async (_name, ageMs, auctionType) => {
  const bids = bidsOf(ageMs, auctionType);
  await send(bids);
  await expectCharges(bids);
});

test('charges are the same when each notice is counted before the next one comes', async () => {
  const bids = bidsOf(0, 1);
  const most = Math.max(...cases.map(({ notices }) => notices.length));
  for (let at = 0; at < most; at += 1) {
    await send(bids, at, at + 1);
    await app.settled();
  }
  await expectCharges(bids);
});
