import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import type { BidKey, StoredEvent } from './event-store.ts';
import { storedEventsOf } from './event-store.ts';
import type { EventKind } from '../model/event.ts';
import type { Ingest } from './ingest.ts';

/** Tells which events of a bid are stored. */
export interface StoredEvents {
  /**
   * The stored events of some bids, by bid id: everything that this process acknowledged before the call, and what other
   * trackers have loaded. A bid without any is not in the answer. Rejects when the event database is away or too slow: ask
   * again later, the answer is not known.
   */
  find(bids: readonly BidKey[], kinds: readonly EventKind[]): Promise<ReadonlyMap<string, StoredEvent[]>>;
}

/** Bids in one query. */
const BIDS_MAX = 1000;

/**
 * Looks stored events up: what this process still has in its log is loaded first, then the event database is asked. Simple
 * and correct rather than quick: a look-up waits for the log, and reads what the companies stored since the oldest bid. An
 * index by bid id can take the place of the query without a caller noticing.
 */
export function createStoredEvents(clickhouse: ClickHouse, ingest: Pick<Ingest, 'flushed'>): StoredEvents {
  return {
    async find(bids, kinds) {
      const found = new Map<string, StoredEvent[]>();
      if (bids.length === 0) return found;
      await ingest.flushed();
      for (let from = 0; from < bids.length; from += BIDS_MAX) {
        for (const event of await storedEventsOf(clickhouse, bids.slice(from, from + BIDS_MAX), kinds)) {
          const events = found.get(event.bidId);
          if (events) events.push(event);
          else found.set(event.bidId, [event]);
        }
      }
      return found;
    },
  };
}
