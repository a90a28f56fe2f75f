import { pino } from 'pino';
import { expect, test } from 'vitest';
import { deliveryEvent } from '@bidwell/testing/delivery-events';
import { sampleRef } from '../trackers/sample-ref.ts';
import type { BidRef, DeliveryEvent } from '../model/event.ts';
import { createLearningFeed } from '../learning/feed.ts';
import { startPriceRecorder } from './price-recorder.ts';

const log = pino({ level: 'silent' });
const HOUR_MS = 3_600_000;

const eventOf = (kind: DeliveryEvent['kind'], ref: BidRef, over: Partial<DeliveryEvent> = {}) =>
  deliveryEvent(ref, kind, { atMs: 0, spendMicros: kind === 'billing' ? 3000 : 0, ...over });

/** A recorder of the bids and events of a feed, and the rows that it stored once both are closed. */
function recorder() {
  const inserted: object[] = [];
  const clickhouse = {
    async insert(_table: string, rows: readonly object[]) {
      inserted.push(...rows);
    },
  };
  const feed = createLearningFeed(null, log);
  const prices = startPriceRecorder({
    clickhouse,
    clickhouseReady: { done: Promise.resolve() },
    log,
    now: () => new Date(10.5 * HOUR_MS),
  });
  feed.subscribeOwn((counts) => prices.add(counts.prices));
  return {
    placed: (ref: BidRef) => feed.placed(ref),
    count(event: DeliveryEvent) {
      feed.count(event);
      prices.count(event);
    },
    async stored() {
      feed.close();
      await prices.close();
      return inserted;
    },
  };
}

test('bids, wins and impressions of an hour are stored by market and price', async () => {
  const { placed, count, stored } = recorder();
  const ref = sampleRef();
  const dear = { ...ref, bidCpmMicros: ref.bidCpmMicros * 2 };
  for (const bid of [ref, ref, dear]) placed(bid);
  count(eventOf('billing', ref));
  for (const each of [ref, dear]) count(eventOf('impression', each));
  count(eventOf('click', ref));
  const market = { hour: (10 * HOUR_MS) / 1000, exchange: ref.exchange, country: ref.country };
  expect(await stored()).toEqual([
    expect.objectContaining({ ...market, placed: 2, won: 1, impressions: 1 }),
    expect.objectContaining({ ...market, placed: 1, won: 0, impressions: 1 }),
  ]);
});

test('tests and invalid traffic are not stored', async () => {
  const { placed, count, stored } = recorder();
  const ref = sampleRef();
  const ofTest = { ...ref, test: true };
  placed(ofTest);
  for (const kind of ['billing', 'impression'] as const) {
    count(eventOf(kind, ofTest));
    count(eventOf(kind, ref, { mark: 'datacenter' }));
  }
  expect(await stored()).toEqual([]);
});
