import { sql } from 'kysely';
import { pino } from 'pino';
import { v4 as uuidv4 } from 'uuid';
import { afterAll, expect, test, vi } from 'vitest';
import { deliveryEvent } from '@bidwell/testing/delivery-events';
import { openPostgres } from '../../platform/postgres/client.ts';
import { emptyPostgres } from '@bidwell/testing/empty-engines';
import type { DeliveryEvent } from '../model/event.ts';
import { sampleRef } from '../trackers/sample-ref.ts';
import { createBooking } from '../pacing/booking.ts';
import { AnotherTracker, ownLog } from './log-ownership.ts';
import type { PartitionState, PartitionStore } from './ownership.ts';
import { partitionStore, rewindPositions, storedPositions } from './partition-store.ts';

const db = await openPostgres({ embedded: await emptyPostgres() });
afterAll(() => db.destroy());

/** Counters of a new stream with some partitions. */
function newStream(partitions: number) {
  const stream = `EVENTS ${uuidv4()}`;
  const ids: string[] = [];
  const counter = () => {
    const counterId = uuidv4();
    ids.push(counterId);
    return partitionStore(db, { counterId, stream, partitions });
  };
  /** Makes the counter look silent for as long. */
  const silence = async (index: number, ms: number) => {
    const before = sql<Date>`clock_timestamp() - ${`${ms} milliseconds`}::interval`;
    await db.updateTable('event_counters').set({ seen_at: before }).where('uuid', '=', ids[index]!).execute();
  };
  return { stream, counter, silence };
}

const chargeOf = (spendMicros: number) => deliveryEvent(sampleRef(), 'billing', { spendMicros });

/** Moves the booked positions of partitions, as the transaction of a round does. */
const book = (store: PartitionStore, positions: readonly PartitionState[]): Promise<void> =>
  db.transaction().execute(store.fence(positions.map((position) => ({ ...position, fromSeq: 0 }))));

const bookedOf = async ({ ref }: DeliveryEvent) =>
  (
    await db
      .selectFrom('adset_spend')
      .select('ever_micros')
      .where('adset_uuid', '=', ref.adsetId)
      .executeTakeFirst()
  )?.ever_micros;

test('counters own even shares, and take over from one that is silent for five seconds', async () => {
  const { counter, silence } = newStream(7);
  const [one, other] = [counter(), counter()];
  expect(await one.sync()).toMatchObject({ share: 7, unowned: 0, owned: { length: 7 } });
  expect(await other.sync()).toMatchObject({ share: 4, owned: [] });
  const { owned } = await one.sync();
  await one.release(owned.slice(4));
  expect((await other.sync()).owned.map(({ partition }) => partition)).toEqual([4, 5, 6]);
  await silence(0, 2500);
  expect((await other.sync()).owned).toHaveLength(3);
  await silence(0, 5500);
  expect(await other.sync()).toMatchObject({ share: 7, unowned: 0, owned: { length: 7 } });
});

test('a counter that leaves frees its partitions at once, and their positions stay', async () => {
  const { stream, counter } = newStream(1);
  const [one, other] = [counter(), counter()];
  const [state] = (await one.sync()).owned;
  await book(one, [{ ...state!, bookedSeq: 9, bookedAtMs: 88 }]);
  await one.release([{ ...state!, storedSeq: 8, storedAtMs: 77 }]);
  await one.leave();
  expect((await other.sync()).owned).toEqual([
    { partition: 0, epoch: 2, bookedSeq: 9, bookedAtMs: 88, storedSeq: 8, storedAtMs: 77, round: null },
  ]);
  expect([...(await storedPositions(db, stream))]).toEqual([[0, 8]]);
  // A counter of an earlier release moves the positions alone.
  await sql`update event_partitions set stored_seq = 9, booked_seq = 10 where stream = ${stream}`.execute(db);
  expect(await other.owned()).toMatchObject([{ storedSeq: 9, storedAtMs: null, bookedAtMs: null }]);
});

test('a booking under an old epoch, or from an old position, leaves nothing', async () => {
  const { counter, silence } = newStream(2);
  const [late, next] = [counter(), counter()];
  const { owned } = await late.sync();
  const booking = createBooking(db);
  const movesOf = (states: typeof owned) =>
    states.map((state) => ({ ...state, fromSeq: state.bookedSeq, bookedSeq: 5 }));
  const first = chargeOf(100);
  await booking.bookRound([first], [], late.fence(movesOf(owned)));
  expect(await bookedOf(first)).toBe(100);
  // The response of the first one was lost.
  const again = chargeOf(200);
  await expect(booking.bookRound([again], [], late.fence(movesOf(owned)))).rejects.toThrow('booked already');
  await silence(0, 6000);
  const taken = (await next.sync()).owned;
  expect(taken.map(({ bookedSeq }) => bookedSeq)).toEqual([5, 5]);
  const tooLate = (await late.owned()).length === 0 ? owned.map((state) => ({ ...state, bookedSeq: 5 })) : [];
  await expect(booking.bookRound([again], [], late.fence(movesOf(tooLate)))).rejects.toThrow(
    'another process',
  );
  expect(await bookedOf(again)).toBeUndefined();
  await late.persist(owned.map((state) => ({ ...state, bookedSeq: 9, storedSeq: 9 })));
  expect((await next.owned()).map(({ storedSeq }) => storedSeq)).toEqual([0, 0]);
});

test('a stream that is older than its counted messages is counted anew', async () => {
  const { stream, counter } = newStream(3);
  const one = counter();
  const { owned } = await one.sync();
  const positions = [
    { bookedSeq: 50, bookedAtMs: 88, storedSeq: 50 },
    { bookedSeq: 100, bookedAtMs: 88, storedSeq: 50 },
    // A position from an earlier release, which stored no time.
    { bookedSeq: 100, bookedAtMs: null, storedSeq: 50 },
  ];
  await book(
    one,
    owned.map((state, index) => ({ ...state, ...positions[index]! })),
  );
  expect(await rewindPositions(db, stream, 60)).toBe(2);
  // Booked messages that the stream still has are recognised by their time.
  expect((await one.sync()).owned).toMatchObject([
    positions[0]!,
    { bookedSeq: 100, bookedAtMs: 88, storedSeq: 0 },
    { bookedSeq: 0, storedSeq: 0 },
  ]);
});

const log = pino({ level: 'silent' });
const round = { id: uuidv4(), months: [] };
const quick = { log, isReady: () => true, handoverMs: 50, everyMs: 5 };

test('without a stream a second tracker refuses to start, and one may follow another that stops', async () => {
  const { counter } = newStream(1);
  const lost = vi.fn();
  const first = await ownLog(counter(), { ...quick, lost });
  await expect(ownLog(counter(), { ...quick, lost })).rejects.toThrow(AnotherTracker);
  const following = ownLog(counter(), { ...quick, handoverMs: 60_000, lost });
  await first.stop();
  const second = await following;
  expect(second.lastRound()).toBeNull();
  await db.transaction().execute(async (tx) => second.fence(round)(tx));
  await second.check();
  await second.stop();
  expect(lost).not.toHaveBeenCalled();
});

test('without a stream a tracker that was silent stops, and counts nothing more', async () => {
  const { counter, silence } = newStream(1);
  const lost = vi.fn();
  // Its next heartbeat comes when the test is over.
  const silent = await ownLog(counter(), { ...quick, everyMs: 60_000, lost });
  await silence(0, 6000);
  const next = await ownLog(counter(), { ...quick, lost });
  await expect(db.transaction().execute(async (tx) => silent.fence(round)(tx))).rejects.toThrow(
    'another process',
  );
  await expect(silent.check()).rejects.toThrow('another process');
  await silent.stop();
  await next.stop();
});

test('a partition is counted anew by its owner alone', async () => {
  const { counter } = newStream(2);
  const [one, other] = [counter(), counter()];
  const { owned } = await one.sync();
  const moved = owned.map((state) => ({
    ...state,
    bookedSeq: 50,
    bookedAtMs: 88,
    storedSeq: 50,
    storedAtMs: 77,
  }));
  await book(one, moved);
  const anew = { ...moved[0]!, bookedSeq: 40, storedSeq: 0, storedAtMs: null };
  await other.rewind(anew);
  await one.rewind({ ...anew, epoch: 0 });
  expect(await one.owned()).toMatchObject([{ storedSeq: 50 }, { storedSeq: 50 }]);
  await one.rewind(anew);
  expect((await one.owned()).map(({ partition }) => partition)).toEqual([1]);
  expect((await one.sync()).owned[0]).toMatchObject({
    epoch: 3,
    bookedSeq: 40,
    bookedAtMs: 88,
    storedSeq: 0,
    storedAtMs: null,
  });
});
