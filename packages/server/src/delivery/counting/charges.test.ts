import { readFileSync } from 'node:fs';
import type { ChargeOn, DeviceNotices, UnreadablePriceRule } from '@bidwell/contract/operator/schema';
import { expect, test } from 'vitest';
import { testApp } from '@bidwell/testing/test-app';
import { pathOf, sampleRef } from '../trackers/sample-ref.ts';
import { createSigner } from '../trackers/signer.ts';
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
const SECRET = 'a signing secret of the tests of charges, fixed';
const app = await testApp({ SIGNING_SECRET: SECRET });
const signer = createSigner(SECRET, 'http://bidwell.test');

/** An exchange with the settings of a case; returns its slug. */
async function exchangeOf({ device_notices = 'none', unreadable_price = 'bid' }: Case): Promise<string> {
  const slug = `charges-${device_notices}-${unreadable_price}`;
  await app.operator('PUT', `/ssps/${slug}`, { name: slug, device_notices, unreadable_price });
  await app.settled();
  return slug;
}

async function refOf(of: Case, ageMs: number, auctionType: 1 | 2): Promise<BidRef> {
  return sampleRef(
    {
      exchange: await exchangeOf(of),
      auctionType,
      chargeOn: of.charge_on,
      marginBasisPoints: of.margin_basis_points ?? 0,
      test: of.test ?? false,
    },
    Date.now() - ageMs,
  );
}

async function send(ref: BidRef, notice: Case['notices'][number]): Promise<void> {
  const [kind, price] = notice.split(' ') as ['win' | 'billing' | 'impression' | 'loss', string];
  const { statusCode } = await app.http.inject(pathOf(signer.urlsFor(ref)[kind], price));
  expect(statusCode).toBe(200);
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
  const sent: [Case, BidRef][] = [];
  for (const one of cases) sent.push([one, await refOf(one, ageMs, auctionType)]);
  for (const [{ notices }, ref] of sent) for (const notice of notices) await send(ref, notice);
  await expectCharges(sent);
});

test('charges are the same when each notice is counted before the next one comes', async () => {
  const sent: [Case, BidRef][] = [];
  for (const one of cases) sent.push([one, await refOf(one, 0, 1)]);
  for (let at = 0; at < 4; at += 1) {
    for (const [{ notices }, ref] of sent)
      for (const notice of notices.slice(at, at + 1)) await send(ref, notice);
    await app.settled();
  }
  await expectCharges(sent);
});
