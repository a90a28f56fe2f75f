import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import type { Round } from './ownership.ts';
import type { UuidWords } from '../event-store/digest-set.ts';
import {
  type EventRow,
  type Partitions,
  type StoredOfBid,
  countSince,
  fenceInsert,
  insertEvents,
  readStoredPairs,
  storedByBid,
  partitionOfWords,
} from '../event-store/event-store.ts';
import { BUCKET_MS, type DeduplicationWindow } from '../event-log/deduplication-window.ts';

/** The table of events, as counting uses it. */
export interface EventTable {
  /**
   * Inserts rows with one statement, of a `round` if it can be fenced. After an aborted `signal` or an error, any part of
   * them may be stored, also later.
   */
  insert(rows: readonly EventRow[], options?: { round: Round; signal?: AbortSignal }): Promise<void>;
  /**
   * Prevents the insert of a round from storing rows from now on. Later queries see the rows that it has stored
   * before.
   */
  fence(round: Round): Promise<void>;
  /** Stored events of some bids; bids without events are left out. */
  storedByBid(bidIds: readonly string[]): Promise<ReadonlyMap<string, StoredOfBid>>;
  /** Number of stored events of bids made since an instant. */
  countSince(fromMs: number, of: Partitions): Promise<number>;
  /** Streams the stored pairs and charges of bids; the words are overwritten after each call. */
  readPairs(
    span: { fromMs: number; beforeMs: number } & Partitions,
    add: (bid: UuidWords, kindIndex: number) => void,
  ): Promise<void>;
}

/** The table in ClickHouse. */
export function eventTable(clickhouse: ClickHouse): EventTable {
  return {
    insert: (rows, options) =>
      insertEvents(clickhouse, rows, { token: options?.round.id, signal: options?.signal }),
    fence: ({ id, months }) => fenceInsert(clickhouse, id, months),
    storedByBid: (bidIds) => storedByBid(clickhouse, bidIds),
    countSince: (fromMs, of) => countSince(clickhouse, fromMs, of),
    readPairs: (span, add) => readStoredPairs(clickhouse, span, add),
  };
}

const DAY_MS = 86_400_000;
/** Above this many stored events windows are filled in steps, the newest first. */
const FILL_AT_ONCE = 4_000_000;

/**
 * Fills the windows of some partitions of `count` with the stored events of their bids, in steps with the newest first
 * where they are many. From then on they cover their bids.
 */
export async function fillWindows(
  table: EventTable,
  windows: ReadonlyMap<number, DeduplicationWindow>,
  count: number,
  nowMs: number,
): Promise<void> {
  const all = [...windows.values()];
  if (all.length === 0) return;
  const of = { count, partitions: [...windows.keys()] };
  const floorMs = Math.min(...all.map((window) => window.floorMs));
  // A bidder's clock may be ahead of this one.
  let beforeMs = nowMs + DAY_MS + BUCKET_MS;
  const stored = await table.countSince(floorMs, of);
  if (stored === 0) {
    for (const window of all) window.coverFrom(floorMs);
    return;
  }
  for (const window of all) window.expect(stored / all.length);
  const stepMs = stored > FILL_AT_ONCE ? BUCKET_MS : beforeMs - floorMs;
  const newestMs = Math.max(floorMs, Math.ceil(nowMs / BUCKET_MS) * BUCKET_MS - stepMs);
  // A window that is full raises its floor.
  for (let fromMs = newestMs; all.some((window) => fromMs >= window.floorMs); fromMs -= stepMs) {
    await table.readPairs({ fromMs, beforeMs, ...of }, (bid, kindIndex) =>
      windows.get(partitionOfWords(bid, count))?.addWords(bid, kindIndex),
    );
    for (const window of all) window.coverFrom(fromMs);
    beforeMs = fromMs;
  }
}
