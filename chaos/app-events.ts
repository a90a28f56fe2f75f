import { createSigner } from '@bidwell/server/delivery/trackers/signer';
import type { BidRef } from '@bidwell/server/delivery/model/event';
import type { Notice, Postbacks, SentEvent } from './notices.ts';
import type { TestCompany } from '@bidwell/testing/test-app';
import { SIGNING_SECRET } from './server-process.ts';

const MINUTE_MS = 60_000;
const CENT_MICROS = 10_000;

/** A company's secret address for postbacks. */
interface PostbackAddress {
  companyId: string;
  secret: string;
}

/** Reads a company's address for postbacks, and makes one in `every` of its bids have some. */
export async function postbacksOfCompany(
  { companyId, call }: Pick<TestCompany, 'companyId' | 'call'>,
  every: number,
): Promise<Postbacks> {
  const { status, data } = await call('GET', '/postbacks');
  if (status !== 200) throw new Error(`The address of postbacks could not be read: ${status}`);
  const address = { companyId, secret: data.secret as string };
  return { companyId, every, of: (ref, index) => postbacksOf(ref, address, index) };
}

/**
 * The postbacks of a bid, to be sent once its impression is acknowledged, in no order of time: an event before the postback of the
 * install, purchases with and without a partner's id, each twice, one of them the second time with another amount,
 * refunds, and ad revenue once. `index` makes the amounts differ.
 */
function postbacksOf(ref: BidRef, { secret }: PostbackAddress, index: number): Notice[] {
  const clickId = createSigner(SIGNING_SECRET, 'http://localhost').clickIdFor(ref);
  const startMs = Math.floor(Date.now() / 1000) * 1000 - 10 * MINUTE_MS;
  const path = (parameters: Record<string, string>): string =>
    `/postback/appsflyer/${secret}?${new URLSearchParams({ click_id: clickId, ...parameters }).toString()}`;
  const event = (name: string, minute: number, ...cents: number[]): SentEvent => ({
    bidId: ref.bidId,
    name,
    atMs: startMs + minute * MINUTE_MS,
    amounts: cents.map((amount) => amount * CENT_MICROS),
  });
  const report = (sent: SentEvent, amountMicros: number, eventId = ''): Notice => ({
    bidId: ref.bidId,
    kind: 'app_event',
    path: path({
      event_name: sent.name,
      event_time: String(sent.atMs / 1000),
      revenue: (amountMicros / 1_000_000).toFixed(2),
      currency: 'USD',
      event_id: eventId,
    }),
    spendMicros: 0,
    event: sent,
  });
  const cents = 100 + (index % 900);
  const first = event('purchase', 1, cents);
  const corrected = event('purchase', 2, cents + 1, cents + 50);
  const refund = event('refund', 3, -cents);
  const subscription = event('subscription', 4, cents + 7);
  const adRevenue = [5, 6, 7, 8].map((minute) => event('ad_revenue', minute, 1 + (index % 5)));
  const [correctedFrom, correctedTo] = corrected.amounts as [number, number];
  const ids = { corrected: `${ref.bidId} 2`, subscription: `${ref.bidId} 4` };
  return [
    report(refund, refund.amounts[0]!),
    report(corrected, correctedFrom, ids.corrected),
    { bidId: ref.bidId, kind: 'install', path: path({ event_name: 'install' }), spendMicros: 0 },
    report(subscription, subscription.amounts[0]!, ids.subscription),
    ...adRevenue.map((sent) => report(sent, sent.amounts[0]!)),
    report(first, first.amounts[0]!),
    report(corrected, correctedTo, ids.corrected),
    report(first, first.amounts[0]!),
    report(refund, refund.amounts[0]!),
    report(subscription, subscription.amounts[0]!, ids.subscription),
  ];
}
