import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { appendTo } from '../../platform/group-by.ts';
import { type BidKey, type StoredEvent, storedEventsOf } from '../event-store/event-store.ts';
import type { EventKind } from '../model/event.ts';
import type { Ingest } from './ingest.ts';

/** Looks up the stored events of bids. */
export interface StoredEvents {
  /**
   * The stored events of some bids, by bid id: all that this process acknowledged before the call, and all that other
   * trackers have loaded. Bids without events are left out. Rejects when the event database is unavailable or too slow.
   */
  find(bids: readonly BidKey[], kinds: readonly EventKind[]): Promise<ReadonlyMap<string, StoredEvent[]>>;
}

/** Bids per query. */
const BIDS_MAX = 1000;

/** Creates the look-up. It waits until this process's event log is loaded, and then queries the event database. */
export function createStoredEvents(clickhouse: ClickHouse, ingest: Pick<Ingest, 'flushed'>): StoredEvents {
  return {
    async find(bids, kinds) {
      const found = new Map<string, StoredEvent[]>();
      if (bids.length === 0) return found;
      await ingest.flushed();
      for (let from = 0; from < bids.length; from += BIDS_MAX) {
        for (const event of await storedEventsOf(clickhouse, bids.slice(from, from + BIDS_MAX), kinds))
          appendTo(found, event.bidId, event);
      }
      return found;
    },
  };
}
