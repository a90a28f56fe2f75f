import type { Mmp } from '@bidwell/contract/apps/fields';
import type { PostbackOutcome, PostbackReason } from '@bidwell/contract/postbacks/schema';
import { expect, test } from 'vitest';
import { caseFiles } from '@bidwell/testing/case-files';
import type { Outcome } from '../event-log/ingest.ts';
import type { StoredEvent } from '../event-store/event-store.ts';
import type { AppEvent, DeliveryEvent, BidRef } from '../model/event.ts';
import { sampleRef } from '../trackers/sample-ref.ts';
import { type EventWindow, LONGEST_WINDOW } from './event-windows.ts';
import { decidePostback, inAppEventOf } from './postback-decision.ts';
import type { PostbackParameters } from './postback-reading.ts';
import fc from 'fast-check';
import { pino } from 'pino';
import { v4 as uuidv4 } from 'uuid';
import { MemoryEngines } from '@bidwell/testing/pacing/memory-counting';
import { runs } from '@bidwell/testing/whole-run';
import { createLocalCounter } from '../counting/local-counter.ts';
import { encodeEvent } from '../event-log/event-record.ts';

type CaseEvent = Partial<StoredEvent> & Pick<StoredEvent, 'kind'> & { secondsAgo: number };

/** One file of ./cases: a postback at 2026-05-04 12:00 UTC, the stored events of its bid, and the decision. */
interface Case {
  mmp: Mmp;
  parameters: PostbackParameters;
  /** The bid that it refers to, by default of a few days ago; null for none. */
  bid?: { daysAgo?: number; test?: boolean } | null;
  /** Default: a click two minutes ago. */
  stored?: CaseEvent[];
  mayTakeBack?: boolean;
  /** Whether it names an app of the company, and no click. */
  isOfApp?: boolean;
  /** Whether one more install is plausible; default true. */
  isPlausibleRate?: boolean;
  /** Whether the event in the app is stored before. */
  isEventStored?: boolean;
  /** The event in the app that is stored before, as far as the case names it. */
  countedEvent?: Partial<AppEvent>;
  /** Days after its bid for which an event of the app counts; default the longest. */
  window?: EventWindow;
  /** The outcome of recording the event; default `stored`. */
  record?: Outcome;
  expect: {
    outcome: PostbackOutcome;
    reason?: PostbackReason;
    /** The event that is recorded; none by default. */
    event?: CaseEvent;
    /** The event in the app that is recorded, as far as the case names it; where none is, the one that the decision names. */
    app?: Partial<AppEvent>;
    /** Installs that are subtracted from the plausible rate. */
    removed?: number;
  };
}

const nowMs = Date.parse('2026-05-04T12:00:00Z');
const DAY_MS = 86_400_000;
const eventOf = ({ secondsAgo, ...event }: CaseEvent) => ({
  mark: '' as const,
  untrained: '' as const,
  ...event,
  atMs: nowMs - secondsAgo * 1000,
});

const countedApp = { name: 'buy', amount: '', currency: '', eventAtMs: nowMs - 2000, isAdRevenue: false };

test.each(caseFiles<Case>(import.meta.url))('%s', async (_name, one) => {
  const {
    mmp,
    parameters,
    bid = {},
    stored = [{ kind: 'click', secondsAgo: 120 }],
    mayTakeBack = true,
  } = one;
  const ref = bid ? sampleRef({ test: bid.test ?? false }, nowMs - (bid.daysAgo ?? 9) * DAY_MS) : undefined;
  const recorded: DeliveryEvent[] = [];
  let removed = 0;
  const inApp = inAppEventOf({ mmp, atMs: nowMs, parameters }, ref);
  const bids = stored.map((event) => ({ ...eventOf(event), bidId: ref?.bidId ?? '' }));
  if (one.isEventStored) bids.push({ ...eventOf({ kind: 'app_event', secondsAgo: 1 }), bidId: inApp!.id });
  const { app, ...decision } = await decidePostback(
    { mmp, atMs: nowMs, ref, parameters, mayTakeBack, inApp, namedAppId: one.isOfApp ? 'app' : '' },
    bids,
    {
      record: async (event) => {
        recorded.push(event);
        return one.record ?? 'stored';
      },
      rates: { admitInstall: () => one.isPlausibleRate ?? true, removeInstall: () => void (removed += 1) },
      countedEvent: async () =>
        one.countedEvent && { ...countedApp, clickBidId: ref!.bidId, ...one.countedEvent },
      windowOf: () => one.window ?? LONGEST_WINDOW,
      admitName: async (_ref, name) => name,
      currencyRates: new Map([
        ['USD', 1],
        ['EUR', 1.1],
      ]),
    },
  );
  const { event, outcome, reason = '', app: expected } = one.expect;
  expect(decision).toEqual({ outcome, reason });
  expect(removed).toBe(one.expect.removed ?? 0);
  if (expected) {
    const { installAtMs, ...parts } = expected;
    expect(app).toMatchObject(parts);
    if (installAtMs !== undefined) expect(app!.installAtMs ?? null).toBe(installAtMs);
    // An unknown revenue is absent.
    expect(app!.revenueMicros).toBe(expected.revenueMicros);
    const mark = stored[0]?.mark ?? '';
    const isRevoked = ['taken_back', 'rejected'].includes(outcome);
    const isRecorded = ['stored', 'taken_back'].includes(outcome) || one.record !== undefined;
    expect(recorded).toEqual(
      isRecorded
        ? [
            {
              kind: isRevoked ? 'app_event_rejected' : 'app_event',
              // A rejection is dated as its event.
              atMs: isRevoked ? nowMs - 1000 : nowMs,
              ref: { ...ref, bidId: inApp!.id },
              spendMicros: 0,
              lossReason: 0,
              mark,
              app: isRevoked ? { ...countedApp, clickBidId: ref!.bidId, ...one.countedEvent } : app,
            },
          ]
        : [],
    );
    return;
  }
  expect(app).toBeUndefined();
  expect(recorded.map(({ untrained = '', ...rest }) => ({ ...rest, untrained }))).toEqual(
    event ? [{ ...eventOf(event), ref, spendMicros: 0, lossReason: 0 }] : [],
  );
});

test.each([
  [
    'ids of more than 200 characters',
    (end: string) => ({ event_name: 'buy', event_id: 'i'.repeat(200) + end }),
  ],
  ['names of more than 100 characters', (end: string) => ({ event_name: 'n'.repeat(100) + end })],
])('events whose %s begin alike are different ones', (_what, parametersOf) => {
  const ref = sampleRef({}, nowMs - DAY_MS);
  const idOf = (end: string) =>
    inAppEventOf({ mmp: 'other', atMs: nowMs, parameters: parametersOf(end) }, ref)!.id;
  expect(idOf('a')).not.toBe(idOf('b'));
  expect(idOf('a')).toBe(idOf('a'));
});

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

/** The event that a tracker without knowledge of the others records for a postback of an event. */
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
