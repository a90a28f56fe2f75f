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
} from '../event-store/event-store.ts';

/** The table of events, as counting uses it. */
export interface EventTable {
  /**
   * Inserts rows with one statement, of a `round` if it can be fenced. After an aborted `signal` or an error, any part of
   * them may be stored, also later.
   */
  insert(rows: readonly EventRow[], options?: { round: Round; signal?: AbortSignal }): Promise<void>;
  /** Prevents that the insert of a round stores rows from now on. What it has stored before, later queries see. */
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
