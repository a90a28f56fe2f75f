import type { Logger } from 'pino';
import type { Database } from '../../../platform/postgres/client.ts';
import { coalesce } from '../../../platform/concurrency/coalesce.ts';
import { repeat } from '../../../platform/jobs/repeat.ts';
import type { Step } from '../../../platform/startup.ts';
import { TtlCache } from '../../../platform/ttl-cache.ts';
import { type RejectedCount, addRejected, isSignedItem } from './rejected-postback-store.ts';

const STORE_EVERY_MS = 5000;
/** How long it is remembered which apps have signed bids, and of how many. */
const ITEMS_MS = 10_000;
const ITEMS_MAX = 5000;

/** A postback that is not counted. */
export interface RejectedPostback {
  /** The app that it names; '' for none. */
  itemId: string;
  reason: string;
}

/** The count of postbacks that are not counted. */
export interface RejectedPostbacks {
  /** Rejects where PostgreSQL does not respond. */
  add(rejected: RejectedPostback): Promise<void>;
  /** Stores what was counted so far. Rejects where PostgreSQL does not respond; the counts are then stored later. */
  flush(): Promise<void>;
  /** Stores the last counts; rejects like {@link flush}. */
  stop(): Promise<void>;
}

/**
 * Counts in memory by day, reason and app, and stores every five seconds. Only apps with signed bids are told apart, so that neither the
 * memory nor the rows grow with what strangers send, nor do strangers keep out anybody's count. What a process had not stored when it
 * was killed is lost.
 */
export function startRejectedPostbacks(
  { db, postgres, log }: { db: Database; postgres: Step; log: Logger },
  now: () => Date,
): RejectedPostbacks {
  const items = new TtlCache<boolean>(ITEMS_MS, ITEMS_MAX);
  let counts = new Map<string, RejectedCount>();
  const flush = coalesce(async () => {
    const taken = counts;
    counts = new Map();
    try {
      await addRejected(db, [...taken.values()]);
    } catch (error) {
      for (const [key, count] of taken) merge(counts, key, count);
      throw error;
    }
  });
  const job = repeat(STORE_EVERY_MS, 'store counts of rejected postbacks', log, flush, [postgres]);
  return {
    async add({ itemId: named, reason }) {
      const isSigned = named !== '' && (await items.get(named, async () => isSignedItem(db, named)));
      const itemId = isSigned ? named : '';
      const lastAt = now();
      const day = lastAt.toISOString().slice(0, 10);
      merge(counts, `${day} ${reason} ${itemId}`, { day, itemId, reason, count: 1, lastAt });
    },
    flush,
    async stop() {
      await job.stop();
      await flush();
    },
  };
}

function merge(counts: Map<string, RejectedCount>, key: string, added: RejectedCount): void {
  const known = counts.get(key);
  const newest = known && known.lastAt > added.lastAt ? known : added;
  counts.set(key, { ...newest, count: (known?.count ?? 0) + added.count });
}
