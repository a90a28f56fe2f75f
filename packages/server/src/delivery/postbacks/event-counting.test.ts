import fc from 'fast-check';
import { pino } from 'pino';
import { v4 as uuidv4 } from 'uuid';
import { expect, test } from 'vitest';
import { MemoryEngines } from '@bidwell/testing/pacing/memory-counting';
import { runs } from '@bidwell/testing/whole-run';
import { createLocalCounter } from '../counting/local-counter.ts';
import { encodeEvent } from '../event-log/event-record.ts';
import type { BidRef, DeliveryEvent } from '../model/event.ts';
import { sampleRef } from '../trackers/sample-ref.ts';
import { LONGEST_WINDOW } from './event-windows.ts';
import { decidePostback, inAppEventOf } from './postback-decision.ts';

const DAY_MS = 86_400_000;
const nowMs = Date.parse('2026-05-04T12:00:00Z');
const log = pino({ level: 'silent' });

/** An event in the app, in words of the partner. */
const purchase = fc.record({
  click: fc.nat({ max: 3 }),
  name: fc.constantFrom('purchase', 'refund', 'level'),
  cents: fc.integer({ min: -500, max: 500 }),
  /** Days before now: most are looked up, and not in the window of recent bids. */
  daysAgo: fc.integer({ min: 0, max: 29 }),
  uniqueId: fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { nil: '' }),
});
const roundOf = () => ({ id: uuidv4(), months: [] });
type Purchase = typeof purchase extends fc.Arbitrary<infer Value> ? Value : never;

const clicks = Array.from({ length: 4 }, () => sampleRef({ companyId: uuidv4() }, nowMs - 40 * DAY_MS));

/** The event that a tracker records which knows nothing of the others, from the postback of an event. */
async function recordOf({
  click,
  name,
  cents,
  daysAgo,
  uniqueId,
}: Purchase): Promise<DeliveryEvent | undefined> {
  const ref = clicks[click]!;
  const postback = {
    mmp: 'appsflyer' as const,
    atMs: nowMs,
    parameters: {
      event_name: name,
      revenue: (cents / 100).toFixed(2),
      currency: 'USD',
      event_time: String((nowMs - daysAgo * DAY_MS) / 1000),
      // An id of the partner belongs to one event.
      event_id: uniqueId && `${uniqueId} ${click} ${name} ${cents} ${daysAgo}`,
    },
  };
  const inApp = inAppEventOf(postback, ref);
  let recorded: DeliveryEvent | undefined;
  await decidePostback(
    { ...postback, ref, mayTakeBack: true, inApp, namedAppId: '' },
    [{ bidId: ref.bidId, kind: 'click', atMs: nowMs - 40 * DAY_MS, mark: '', untrained: '' }],
    {
      async record(event) {
        recorded = event;
        return 'stored';
      },
      rates: { admitInstall: () => true, removeInstall: () => {} },
      countedEvent: async () => undefined,
      windowOf: () => LONGEST_WINDOW,
      admitName: async (_ref: BidRef, own) => own,
      currencyRates: new Map(),
    },
  );
  return recorded;
}

test('events that arrive repeatedly, in any order and batches, are counted once with their revenue', async () => {
  const shuffled = fc
    .array(purchase, { minLength: 1, maxLength: 25 })
    .chain((sent) =>
      fc.tuple(
        fc.constant(sent),
        fc.shuffledSubarray([...sent, ...sent, ...sent], { minLength: sent.length }),
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
      ),
    );
  await fc.assert(
    fc.asyncProperty(shuffled, async ([, received, size, isRepeated]) => {
      const engines = new MemoryEngines(1);
      const now = () => new Date(nowMs);
      const counter = createLocalCounter({
        table: { ...engines.table, insert: async (rows) => engines.table.insert(rows, { round: roundOf() }) },
        booking: null,
        log,
        now,
        onCounted: () => {},
      });
      for (let from = 0; from < received.length; from += size) {
        const events = await Promise.all(received.slice(from, from + size).map(recordOf));
        const records = events.flatMap((event) => (event ? [encodeEvent(event)] : []));
        const segment = { batch: uuidv4(), records, recovered: false, doubtful: false };
        await counter.load([segment]);
        // As after a crash between the insert and its note.
        if (isRepeated) await counter.load([{ ...segment, doubtful: true }]);
      }
      const model = new Map(received.map((one) => [JSON.stringify(one), one.cents * 10_000]));
      const revenue = engines.rows.map(({ event }) => event.app!.revenueMicros!);
      expect(revenue.toSorted((a, b) => a - b)).toEqual([...model.values()].toSorted((a, b) => a - b));
    }),
    runs(60),
  );
});
