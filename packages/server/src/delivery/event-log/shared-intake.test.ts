import { pino } from 'pino';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { emptyPostgres } from '@bidwell/testing/empty-engines';
import { sql } from 'kysely';
import { openPostgres } from '../../platform/postgres/client.ts';
import type { IntakeError } from './intake.ts';
import { shareIntake } from './shared-intake.ts';
import { eventually } from '@bidwell/testing/eventually';

const db = await openPostgres({ embedded: await emptyPostgres() });
afterAll(() => db.destroy());
const log = pino({ level: 'silent' });
const shared = { db, log, now: () => new Date(), everyMs: 100 };
const countedNow = async () => Date.now();
/** A log in which `waitingBytes` wait, as a tracker has it. */
const logOf = (
  countedMs: () => Promise<number>,
  { fault = null, waitingBytes = 0 }: { fault?: IntakeError | null; waitingBytes?: number } = {},
) => ({ fault: () => fault, countedMs, state: () => ({ waitingBytes, damagedSegments: 0 }) });

test('bidding stops while one tracker fills up or none can write, and ignores stopped trackers', async () => {
  const faults = new Map<string, IntakeError | null>([
    ['one', null],
    ['other', null],
  ]);
  const trackers = [...faults.keys()].map((name) =>
    shareIntake({
      ...shared,
      own: { ...logOf(countedNow), fault: () => faults.get(name)! },
      bids: false,
    }),
  );
  const bidder = shareIntake({ ...shared, own: null, bids: true });
  onTestFinished(async () => {
    for (const { stop } of [...trackers, bidder]) await stop();
  });
  const closes = (closed: string | null) => eventually(() => expect(bidder.closed()).toBe(closed));
  await closes(null);
  faults.set('one', 'log_filling');
  await closes('event_log');
  faults.set('one', 'disk_failing');
  await closes(null);
  faults.set('other', 'disk_failing');
  await closes('event_log');
  await trackers[1]!.stop();
  faults.set('one', null);
  await closes(null);
});

/** A tracker that was killed `seconds` ago, when all but its last `lagSeconds` were counted; null of an earlier release. */
const killed = (seconds: number, lagSeconds: number | null) =>
  sql`
  insert into tracker_states (uuid, seen_at, counted_at)
  select gen_random_uuid(), seen_at, seen_at - ${lagSeconds}::int * interval '1 second'
  from (select clock_timestamp() - ${seconds}::int * interval '1 second' as seen_at) as t`.execute(db);

/** A bidder and a tracker that counts until `countedMs`, of which no other tracker is known. */
async function start(countedMs: () => Promise<number>) {
  await sql`delete from tracker_states`.execute(db);
  const bidder = shareIntake({ ...shared, own: null, bids: true });
  onTestFinished(() => bidder.stop());
  const startTracker = () => {
    const tracker = shareIntake({ ...shared, own: logOf(countedMs), bids: false });
    onTestFinished(() => tracker.stop());
  };
  return { bidder, startTracker };
}

test('a bidder that starts does not bid until a tracker has reported in the last half minute', async () => {
  const { bidder, startTracker } = await start(async () => Date.now());
  expect(bidder.closed()).toBe('no_tracker');
  await bidder.renew();
  expect(bidder.closed()).toBe('no_tracker');
  await killed(31, 0);
  await bidder.renew();
  expect(bidder.closed()).toBe('no_tracker');
  startTracker();
  await eventually(() => expect(bidder.closed()).toBeNull());
});

test('a bidder goes on while the trackers restart one after the other', async () => {
  const { bidder } = await start(async () => Date.now());
  await killed(5, 0);
  await bidder.renew();
  expect(bidder.closed()).toBeNull();
  await sql`delete from tracker_states`.execute(db);
  await bidder.renew();
  expect(bidder.closed()).toBeNull();
});

test('a process that also tracks may bid at once', () => {
  const both = shareIntake({ ...shared, own: logOf(countedNow), bids: true });
  onTestFinished(() => both.stop());
  expect(both.closed()).toBeNull();
});

test('notices are counted as far as the slowest tracker has counted its own, also one killed a moment ago', async () => {
  let lagMs = Infinity;
  const { bidder, startTracker } = await start(async () => Date.now() - lagMs);
  const behind = (from: number, to: number) =>
    eventually(async () => {
      const seconds = (Date.now() - (await bidder.countedMs())) / 1000;
      expect(seconds).toBeGreaterThanOrEqual(from);
      expect(seconds).toBeLessThan(to);
    });
  await killed(5, null);
  await behind(0, 5);
  expect(await bidder.countedByAllMs()).toBe(-Infinity);
  startTracker();
  await behind(80_000, 90_000);
  lagMs = 20_000;
  await behind(20, 30);
  await killed(45, 600);
  await behind(645, 660);
  await killed(70, 6000);
  lagMs = 2000;
  await behind(645, 660);
  // Trackers that were killed longer ago may still come back with the events that they have booked.
  await sql`delete from tracker_states where counted_at is null`.execute(db);
  const seconds = (Date.now() - (await bidder.countedByAllMs())) / 1000;
  expect(seconds).toBeGreaterThan(6060);
});

test('a tracker that stops with events in its log is waited for, and accepts no notices any more', async () => {
  const { bidder, startTracker } = await start(countedNow);
  startTracker();
  const hoursBehind = (from: number, to: number) =>
    eventually(async () => {
      const hours = (Date.now() - (await bidder.countedByAllMs())) / 3_600_000;
      expect(hours).toBeGreaterThanOrEqual(from);
      expect(hours).toBeLessThan(to);
    });
  const closes = (closed: string | null) => eventually(() => expect(bidder.closed()).toBe(closed));
  const fiveHoursAgo = async () => Date.now() - 5 * 3_600_000;
  const drained = shareIntake({ ...shared, own: logOf(fiveHoursAgo), bids: false });
  await hoursBehind(5, 6);
  await drained.stop();
  await hoursBehind(0, 1);
  const own = logOf(fiveHoursAgo, { fault: 'log_filling', waitingBytes: 1 });
  const filling = shareIntake({ ...shared, own, bids: false });
  await closes('event_log');
  await filling.stop();
  await hoursBehind(5, 6);
  await closes(null);
});

test('a bidder that starts does not take a tracker that stopped with events in its log for one that runs', async () => {
  await sql`delete from tracker_states`.execute(db);
  const stopped = shareIntake({ ...shared, own: logOf(countedNow, { waitingBytes: 1 }), bids: false });
  await stopped.renew();
  await stopped.stop();
  const bidder = shareIntake({ ...shared, own: null, bids: true });
  onTestFinished(() => bidder.stop());
  await bidder.renew();
  expect(bidder.closed()).toBe('no_tracker');
});
