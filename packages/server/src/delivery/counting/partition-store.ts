import { sql } from 'kysely';
import { type Database, json } from '../../platform/postgres/client.ts';
import { type Db, transact } from '../../platform/postgres/transaction.ts';
import { Fenced, type Ownership, type PartitionState, type PartitionStore, SILENCE_MS } from './ownership.ts';

/** Counters without a heartbeat for this long are deleted. */
const DELETED_AFTER_MS = 3_600_000;

/** Which counter of which stream a {@link partitionStore} is for. */
export interface CounterOfStream {
  /** A UUID, new at each start. */
  counterId: string;
  /** Key of the stream. */
  stream: string;
  /** Number of its partitions. */
  partitions: number;
}

/** The owners and positions in PostgreSQL, whose clock decides who is silent. */
export function partitionStore(db: Database, counter: CounterOfStream): PartitionStore {
  const { counterId, stream } = counter;
  return {
    sync: () => transact(db, (tx) => sync(tx.db, counter)),
    owned: () => readOwned(db, counter),
    fence: (moves) => async (tx) => {
      const moved = await move(tx, counter, moves);
      if (moved < moves.length) throw new Fenced();
    },
    async persist(positions) {
      await move(db, counter, positions);
    },
    async release(positions) {
      await move(db, counter, positions, { isReleased: true });
    },
    async rewind({ partition, epoch, bookedSeq, bookedAtMs, storedSeq, storedAtMs }) {
      await db
        .updateTable('event_partitions')
        .set({
          booked_seq: bookedSeq,
          booked_message: json({ seq: bookedSeq, atMs: bookedAtMs }),
          stored_seq: storedSeq,
          stored_message: json({ seq: storedSeq, atMs: storedAtMs }),
          epoch: sql<number>`epoch + 1`,
          owner: null,
        })
        .where('stream', '=', stream)
        .where('owner', '=', counterId)
        .where('partition', '=', partition)
        .where('epoch', '=', epoch)
        .execute();
    },
    async leave() {
      await sql`delete from event_counters where uuid = ${counterId} and stream = ${stream}`.execute(db);
    },
  };
}

const ago = (ms: number) => sql<Date>`clock_timestamp() - ${`${ms} milliseconds`}::interval`;

async function sync(db: Db, counter: CounterOfStream): Promise<Ownership> {
  const { counterId, stream, partitions } = counter;
  await sql`
    with expired as (
      delete from event_counters where seen_at < ${ago(DELETED_AFTER_MS)} and uuid <> ${counterId}
    ), numbered as (
      insert into event_partitions (stream, partition)
      select ${stream}, number from generate_series(0, ${partitions}::int - 1) as number
      where not exists (select from event_partitions where stream = ${stream} and partition = number)
      on conflict do nothing
    )
    insert into event_counters (uuid, stream, seen_at) values (${counterId}, ${stream}, clock_timestamp())
    on conflict (uuid) do update set seen_at = excluded.seen_at, stream = excluded.stream`.execute(db);
  const { rows } = await sql<{ counters: number; own: number }>`
    select
      (select count(*) from event_counters where stream = ${stream} and seen_at > ${ago(SILENCE_MS)})::int as counters,
      (select count(*) from event_partitions where stream = ${stream} and owner = ${counterId})::int as own`.execute(
    db,
  );
  const { counters, own } = rows[0]!;
  const share = Math.ceil(partitions / Math.max(1, counters));
  if (own < share) await claim(db, counter, share - own);
  const owned = await readOwned(db, counter);
  const free = await sql<{ unowned: number }>`
    select count(*)::int as unowned from event_partitions p where p.stream = ${stream} and ${isFree}`.execute(
    db,
  );
  return { owned, share, unowned: free.rows[0]!.unowned };
}

/** Whether a row `p` of the partitions has no live owner. */
const isFree = sql<boolean>`
  not exists (
    select from event_counters c
    where c.uuid = p.owner and c.stream = p.stream and c.seen_at > ${ago(SILENCE_MS)}
  )`;

async function claim(db: Db, { counterId, stream }: CounterOfStream, most: number): Promise<void> {
  await sql`
    with free as (
      select p.partition from event_partitions p
      where p.stream = ${stream} and ${isFree}
      order by p.partition limit ${most} for update skip locked
    )
    update event_partitions p set owner = ${counterId}, epoch = p.epoch + 1
    from free where p.stream = ${stream} and p.partition = free.partition`.execute(db);
}

/** An earlier release moves `stored_seq` and `booked_seq` alone. */
const storedAtMs = sql<number | null>`
  case when (stored_message ->> 'seq')::bigint = stored_seq then (stored_message ->> 'atMs')::float8 end`;
const bookedAtMs = sql<number | null>`
  case when (booked_message ->> 'seq')::bigint = booked_seq then (booked_message ->> 'atMs')::float8 end`;

async function readOwned(db: Db, { counterId, stream }: CounterOfStream): Promise<PartitionState[]> {
  const rows = await db
    .selectFrom('event_partitions')
    .select(['partition', 'epoch', 'booked_seq as bookedSeq', 'stored_seq as storedSeq', 'round'])
    .select([bookedAtMs.as('bookedAtMs'), storedAtMs.as('storedAtMs')])
    .where('stream', '=', stream)
    .where('owner', '=', counterId)
    .orderBy('partition')
    .execute();
  return rows;
}

/**
 * Moves the positions of partitions that are owned under their epoch; returns how many those are. The booked positions are
 * moved only from where a move begins: otherwise one that PostgreSQL has lost would seem to be booked.
 */
async function move(
  db: Db,
  { counterId, stream }: CounterOfStream,
  positions: readonly (PartitionState & { fromSeq?: number })[],
  { isReleased } = { isReleased: false },
): Promise<number> {
  if (positions.length === 0) return 0;
  const moves = positions.map(({ partition, epoch, bookedSeq, storedSeq, round, fromSeq, ...times }) => ({
    partition,
    epoch,
    booked: fromSeq === undefined ? null : bookedSeq,
    last: { seq: bookedSeq, atMs: times.bookedAtMs },
    stored: storedSeq,
    message: { seq: storedSeq, atMs: times.storedAtMs },
    round,
    from: fromSeq ?? null,
  }));
  const { numAffectedRows } = await sql`
    update event_partitions p
    set booked_seq = greatest(p.booked_seq, m.booked),
      booked_message = case when m.booked > p.booked_seq then m.last else p.booked_message end,
      stored_seq = greatest(p.stored_seq, m.stored),
      stored_message = case when m.stored > p.stored_seq then m.message else p.stored_message end,
      round = coalesce(m.round, p.round),
      owner = case when ${isReleased} then null else p.owner end
    from jsonb_to_recordset(${json(moves)}::jsonb)
      as m (partition int, epoch bigint, booked bigint, last jsonb, stored bigint, message jsonb, round jsonb, "from" bigint)
    where p.stream = ${stream} and p.owner = ${counterId} and p.partition = m.partition and p.epoch = m.epoch
      and p.booked_seq = coalesce(m."from", p.booked_seq)`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Positions of a stream's partitions: the last message whose events are stored, by partition. */
export async function storedPositions(db: Db, stream: string): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('event_partitions')
    .select(['partition', 'stored_seq'])
    .where('stream', '=', stream)
    .execute();
  return new Map(rows.map((row) => [row.partition, row.stored_seq]));
}

/**
 * Begins to count partitions anew whose positions are behind the end of the stream, as after NATS was restored from a
 * backup: new messages would otherwise be taken for stored ones. Returns how many partitions it rewound. Counters
 * recognise stored messages in the event table, and booked messages by the time of the last one, where it is known.
 */
export async function rewindPositions(db: Db, stream: string, lastSeq: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('event_partitions')
    .set({
      booked_seq: sql<number>`case when ${bookedAtMs} is null then 0 else booked_seq end`,
      stored_seq: 0,
      stored_message: null,
      epoch: sql<number>`epoch + 1`,
      owner: null,
    })
    .where('stream', '=', stream)
    .where('booked_seq', '>', lastSeq)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
