import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v4 as uuidv4 } from 'uuid';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { deliveryEvent } from '@bidwell/testing/delivery-events';
import { installEmptyClickHouse } from '@bidwell/testing/empty-engines';
import { eventually } from '@bidwell/testing/eventually';
import { minToWin } from '../../platform/clickhouse/migrations/0017-min-to-win.ts';
import { openClickHouse } from '../../platform/clickhouse/open.ts';
import { Unavailable } from '../../platform/errors.ts';
import { openLocalIngest } from '@bidwell/testing/local-ingest';
import { insertEvents, readStoredPairs, partitionOf, partitionOfWords } from '../event-store/event-store.ts';
import { uuidIn } from '../trackers/uuid-bytes.ts';
import type { Ingest } from './ingest.ts';
import type { BidRef, DeliveryEvent } from '../model/event.ts';
import { sampleRef } from '../trackers/sample-ref.ts';

const HOUR_MS = 3_600_000;
const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-ingest-'));
await installEmptyClickHouse(dataDir);
const clickhouse = await openClickHouse({ dataDir });
afterAll(async () => {
  await clickhouse.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** An ingest on the shared tables whose clock returns `nowMs`. */
const ingestAt = (nowMs: number) => openLocalIngest({ clickhouse, dataDir, now: () => new Date(nowMs) });

const eventOf = (ref: BidRef, atMs: number): DeliveryEvent => deliveryEvent(ref, 'impression', { atMs });

/** Expects that each bid has one event. */
async function expectStoredOnce(...refs: BidRef[]): Promise<void> {
  const bids = refs.map(({ bidId }) => bidId);
  const rows = await clickhouse.query<{ bid: string }>(
    'select bid_id as bid from events where bid_id in {bids:Array(UUID)}',
    { bids },
  );
  expect(rows.map(({ bid }) => bid).toSorted()).toEqual(bids.toSorted());
}

test('a restart remembers an event whose bid came from a clock ahead of ours', async () => {
  const bidMs = Date.now();
  const ref = sampleRef({}, bidMs);
  const early = bidMs - 23 * HOUR_MS;
  const first = await ingestAt(early);
  expect(await first.record(eventOf(ref, early))).toBe('stored');
  await first.close();
  const late = bidMs + 6.9 * 24 * HOUR_MS;
  const second = await ingestAt(late);
  await second.record(eventOf(ref, late));
  await second.close();
  await expectStoredOnce(ref);
});

test('if the first write fails, its duplicate fails with it, and the next try is stored', async () => {
  const nowMs = Date.now();
  const ingest = await ingestAt(nowMs);
  const ref = sampleRef({}, nowMs);
  const handle = await open(dataDir, 'r');
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const disk = vi.spyOn(prototype, 'datasync').mockRejectedValueOnce(new Error('the disk fails'));
  onTestFinished(() => disk.mockRestore());
  const both = await Promise.allSettled([
    ingest.record(eventOf(ref, nowMs)),
    ingest.record(eventOf(ref, nowMs)),
  ]);
  for (const outcome of both) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) as unknown });
  }
  expect(await ingest.record(eventOf(ref, nowMs))).toBe('stored');
  expect(await ingest.record(eventOf(ref, nowMs))).toBe('duplicate');
  await ingest.close();
  await expectStoredOnce(ref);
});

/** An ingest on the shared tables with a log of its own; `unavailable` makes every query fail while it is true. */
async function trackerWith(nowMs: () => number, state = { unavailable: false, responsesLost: 0 }) {
  const own = await mkdtemp(join(tmpdir(), 'bidwell-ingest-'));
  onTestFinished(() => rm(own, { recursive: true, force: true }));
  const fail = () => Promise.reject(new Error('connection refused'));
  const openTracker = () =>
    openLocalIngest({
      clickhouse: {
        ...clickhouse,
        query: (...args) => (state.unavailable ? fail() : clickhouse.query(...args)),
        async insert(table, rows) {
          if (state.unavailable) return fail();
          await clickhouse.insert(table, rows);
          if (state.responsesLost === 0) return;
          state.responsesLost -= 1;
          throw new Error('the answer was lost');
        },
      },
      dataDir: own,
      now: () => new Date(nowMs()),
      // The start continues without an unavailable event database.
      recover: (work) => (state.unavailable ? Promise.resolve() : work()),
    });
  return { openTracker, state };
}

/** Instants of the two clocks, one of whole milliseconds, differ by less. */
const ROUNDED_MS = 10;

/** Waits until everything that was acknowledged before this call is counted. */
async function countedAll(tracker: Ingest, now: () => number): Promise<void> {
  const requestedMs = now();
  await eventually(async () => expect(await tracker.countedMs()).toBeGreaterThan(requestedMs - ROUNDED_MS));
}

test('events are counted up to the oldest that waits, also one of an earlier process', async () => {
  const { openTracker, state } = await trackerWith(Date.now);
  const first = await openTracker();
  const behindMs = async (tracker: Ingest) => Date.now() - (await tracker.countedMs());
  await countedAll(first, Date.now);
  state.unavailable = true;
  const beforeMs = Date.now();
  await first.record(eventOf(sampleRef({}, beforeMs), beforeMs));
  const recordedMs = Date.now();
  await eventually(async () => expect(await behindMs(first)).toBeGreaterThan(500));
  await first.close();
  const second = await openTracker();
  expect(await second.countedMs()).toBeLessThanOrEqual(recordedMs + ROUNDED_MS);
  state.unavailable = false;
  await second.flushed();
  await countedAll(second, Date.now);
  await second.close();
});

test('a clock that is set back makes nothing count as counted that still waits', async () => {
  let aheadMs = HOUR_MS;
  const now = () => Date.now() + aheadMs;
  const { openTracker, state } = await trackerWith(now);
  const tracker = await openTracker();
  const behindMs = async () => now() - (await tracker.countedMs());
  await countedAll(tracker, now);
  state.unavailable = true;
  await tracker.record(eventOf(sampleRef({}, now()), now()));
  aheadMs = 0;
  await tracker.record(eventOf(sampleRef({}, now()), now()));
  await eventually(async () => expect(await behindMs()).toBeGreaterThan(500));
  state.unavailable = false;
  await tracker.flushed();
  await countedAll(tracker, now);
  await tracker.close();
});

const AGES_MS = [0, 1.9 * HOUR_MS, 2.1 * HOUR_MS, 26 * HOUR_MS, 6.5 * 24 * HOUR_MS];

test('a duplicate is stored once on both sides of the two hours, before and after a restart', async () => {
  const nowMs = Date.now();
  const { openTracker } = await trackerWith(() => nowMs);
  const refs = AGES_MS.map((ageMs) => sampleRef({}, nowMs - ageMs));
  for (let life = 0; life < 2; life += 1) {
    const ingest = await openTracker();
    for (let time = 0; time < 2; time += 1) {
      for (const ref of refs) await ingest.record(eventOf(ref, nowMs));
      await ingest.flushed();
    }
    await ingest.close();
  }
  await expectStoredOnce(...refs);
});

test('a duplicate whose bid has left the window is stored once', async () => {
  let nowMs = Date.now();
  const { openTracker } = await trackerWith(() => nowMs);
  const ingest = await openTracker();
  const ref = sampleRef({}, nowMs);
  expect(await ingest.record(eventOf(ref, nowMs))).toBe('stored');
  nowMs += 3 * HOUR_MS;
  await ingest.record(eventOf(ref, nowMs));
  await ingest.close();
  await expectStoredOnce(ref);
});

test('listeners get an event of an old bid once, and only the first of its kind', async () => {
  const nowMs = Date.now();
  const { openTracker } = await trackerWith(() => nowMs);
  const ref = sampleRef({}, nowMs - 26 * HOUR_MS);
  const notified: string[] = [];
  for (let life = 0; life < 2; life += 1) {
    const ingest = await openTracker();
    ingest.onCounted((events) => notified.push(...events.map(({ ref: { bidId } }) => bidId)));
    for (let time = 0; time < 2; time += 1) await ingest.record(eventOf(ref, nowMs));
    await ingest.close();
  }
  expect(notified).toEqual([ref.bidId]);
});

test('one of two events that share a charge is charged, also for an old bid with a restart between them', async () => {
  const nowMs = Date.now();
  const { openTracker } = await trackerWith(() => nowMs);
  const refs = AGES_MS.map((ageMs) => sampleRef({ chargeOn: 'first' }, nowMs - ageMs));
  for (const kind of ['billing', 'impression'] as const) {
    const ingest = await openTracker();
    for (const ref of refs) await ingest.record({ ...eventOf(ref, nowMs), kind, spendMicros: 700 });
    await ingest.close();
  }
  const rows = await clickhouse.query<{ bid: string; spend: number; events: number }>(
    'select bid_id as bid, sum(spend_micros) as spend, count() as events from events where bid_id in {bids:Array(UUID)} group by bid',
    { bids: refs.map(({ bidId }) => bidId) },
  );
  expect(rows).toHaveLength(refs.length);
  for (const row of rows) expect(row).toMatchObject({ spend: 700, events: 2 });
});

test('a server that starts while ClickHouse is unavailable accepts events, and stores each once when it is back', async () => {
  const nowMs = Date.now();
  const refs = AGES_MS.map((ageMs) => sampleRef({}, nowMs - ageMs));
  const { openTracker, state } = await trackerWith(() => nowMs);
  const before = await openTracker();
  for (const ref of refs) await before.record(eventOf(ref, nowMs));
  await before.close();
  state.unavailable = true;
  const ingest = await openTracker();
  for (const ref of refs) await ingest.record(eventOf(ref, nowMs));
  state.unavailable = false;
  await ingest.flushed();
  await ingest.close();
  await expectStoredOnce(...refs);
});

test('an event is stored with all of its values, though the table had no column for one of them at first', async () => {
  const nowMs = Date.now();
  const ref = sampleRef({}, nowMs);
  await clickhouse.command('alter table events drop column min_to_win_cpm_micros');
  const row = {
    event: { ...eventOf(ref, nowMs), kind: 'loss' as const, minToWinCpmMicros: 1_500_000 },
    batch: uuidv4(),
    seq: 0,
  };
  await expect(insertEvents(clickhouse, [row])).rejects.toThrow('min_to_win_cpm_micros');
  await clickhouse.command(minToWin[0]!);
  await insertEvents(clickhouse, [row]);
  expect(
    await clickhouse.query('select min_to_win_cpm_micros as minToWin from events where bid_id = {bid:UUID}', {
      bid: ref.bidId,
    }),
  ).toEqual([{ minToWin: 1_500_000 }]);
});

test('an insert whose response is lost is repeated without duplicates, in any month', async () => {
  const nowMs = Date.parse('2026-02-01T00:00:00.000Z');
  const { openTracker } = await trackerWith(() => nowMs, { unavailable: false, responsesLost: 2 });
  const refs = Array.from({ length: 9 }, () => sampleRef({}, nowMs));
  const ingest = await openTracker();
  await Promise.all(refs.map((ref, index) => ingest.record(eventOf(ref, nowMs + (index % 2) - 1))));
  await ingest.flushed();
  await ingest.close();
  await expectStoredOnce(...refs);
});

test('the hourly aggregates agree with the rows', async () => {
  const companyId = sampleRef().companyId;
  const at = Date.parse('2026-05-01T10:30:00Z');
  const events = Array.from({ length: 50 }, (_, index) => ({
    ...eventOf(sampleRef({ companyId }), at + index * 60_000),
    kind: 'billing' as const,
    spendMicros: index,
  }));
  const batch = sampleRef().bidId;
  await insertEvents(
    clickhouse,
    events.map((event, seq) => ({ event, batch, seq })),
  );
  const byHour = await clickhouse.query<{ hour: string; events: number; spend: number }>(
    `select toStartOfHour(time) as hour, count() as events, sum(spend_micros) as spend from events
     where company_id = {companyId:UUID} group by hour order by hour`,
    { companyId },
  );
  expect(byHour.map(({ events: count, spend }) => [count, spend])).toEqual([
    [30, 435],
    [20, 790],
  ]);
});

test('ClickHouse finds the bids of a partition as the processes do', async () => {
  const companyId = sampleRef().companyId;
  const refs = Array.from({ length: 200 }, () => sampleRef({ companyId }));
  const rows = refs.map((ref, seq) => ({ event: eventOf(ref, Date.now()), batch: companyId, seq }));
  await insertEvents(clickhouse, rows);
  const own = new Set(refs.map(({ bidId }) => bidId));
  for (const count of [1, 7, 32]) {
    const partitions = [...Array(count).keys()].filter((partition) => partition % 3 === 0);
    const found = new Set<string>();
    const span = { fromMs: Date.now() - HOUR_MS, beforeMs: Date.now() + HOUR_MS };
    await readStoredPairs(clickhouse, { ...span, count, partitions }, (words) => {
      const hex = words.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
      const bidId = uuidIn(hex, 0);
      if (own.has(bidId)) found.add(bidId);
      expect(partitions).toContain(partitionOfWords(words, count));
    });
    const expected = refs.filter(({ bidId }) => partitions.includes(partitionOf(bidId, count)));
    expect([...found].toSorted()).toEqual(expected.map(({ bidId }) => bidId).toSorted());
  }
});
