import { sql } from 'kysely';
import type { ClickHouse } from '../platform/clickhouse/client.ts';
import { clickhouseTime } from '../platform/clickhouse/time.ts';
import type { Db } from '../platform/postgres/transaction.ts';

/** Events whose spend is booked in PostgreSQL and that may not be in ClickHouse yet. */
export interface BookedEvents {
  /** Segments of the log of a tracker that counts its own events. */
  batches: readonly string[];
  /** Partitions of the event stream, up to the message that is booked. */
  positions: readonly { stream: string; partition: number; bookedSeq: number }[];
}

const BATCHES_MAX = 100_000;
const BATCHES_IN_QUERY = 1000;

/** What is booked at the moment of `db`, a transaction. */
export async function bookedEvents(db: Db): Promise<BookedEvents> {
  const batches = await db.selectFrom('booked_batches').select('batch').limit(BATCHES_MAX).execute();
  const positions = await sql<{ stream: string; partition: number; bookedSeq: number }>`
    select stream, partition, booked_seq as "bookedSeq" from event_partitions
    where stored_seq < booked_seq`.execute(db);
  return { batches: batches.map(({ batch }) => batch), positions: positions.rows };
}

const DAY_MS = 24 * 3_600_000;

/** Unix ms of the creation of a batch, from its UUIDv7. */
export function madeAtMs(batch: string): number {
  return Number.parseInt(batch.slice(0, 8) + batch.slice(9, 13), 16);
}

/** Those of `batches` of which ClickHouse has no event. */
export async function missingBatches(clickhouse: ClickHouse, batches: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (let from = 0; from < batches.length; from += BATCHES_IN_QUERY) {
    const requested = batches.slice(from, from + BATCHES_IN_QUERY);
    // A batch has events since it was made; the day allows for a clock that was set back.
    const sinceMs = Math.min(...requested.map(madeAtMs)) - DAY_MS;
    const rows = await clickhouse.query<{ batch: string }>(
      `select distinct batch from events
       where time >= {since:DateTime64(3, 'UTC')} and has({batches:Array(UUID)}, batch)`,
      { batches: requested, since: clickhouseTime(sinceMs) },
    );
    const stored = new Set(rows.map(({ batch }) => batch));
    missing.push(...requested.filter((batch) => !stored.has(batch)));
  }
  return missing;
}

/**
 * Those of `positions` up to which the events are not stored, and whether a counter counts their stream. Streams that no
 * counter counts are left out while another one is counted: they were replaced.
 */
export async function missingPositions(
  db: Db,
  positions: BookedEvents['positions'],
): Promise<{ positions: BookedEvents['positions']; isCounted: boolean }> {
  if (positions.length === 0) return { positions: [], isCounted: true };
  const streams = sql`any(${[...new Set(positions.map(({ stream }) => stream))]}::text[])`;
  const { rows } = await sql<{ stream: string; partition: number; storedSeq: number }>`
    select stream, partition, stored_seq as "storedSeq" from event_partitions
    where stream = ${streams}`.execute(db);
  const stored = new Map(
    rows.map(({ stream, partition, storedSeq }) => [`${partition} ${stream}`, storedSeq]),
  );
  const counted = await sql<{ stream: string }>`
    select distinct stream from event_counters
    where seen_at > clock_timestamp() - interval '30 seconds'`.execute(db);
  const live = new Set(counted.rows.map(({ stream }) => stream));
  return {
    positions: positions.filter(
      ({ stream, partition, bookedSeq }) =>
        (live.has(stream) || live.size === 0) &&
        (stored.get(`${partition} ${stream}`) ?? bookedSeq) < bookedSeq,
    ),
    isCounted: live.size > 0,
  };
}
