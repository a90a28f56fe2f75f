import type { Logger } from 'pino';
import type { Database } from '../../../platform/postgres/client.ts';
import { coalesce } from '../../../platform/concurrency/coalesce.ts';
import { type RejectedCount, addRejected } from './rejected-postback-store.ts';

/** Counts of one process between two writes; beyond them, the app is left out. */
const KEYS_MAX = 500;
const SAMPLE_CHARS_MAX = 2000;
const STORE_EVERY_MS = 5000;

/** A postback that is not counted. */
export interface RejectedPostback {
  /** The app that it names; '' for none. */
  itemId: string;
  reason: string;
  body: unknown;
}

/** The count of postbacks that are not counted, with the last of each kind. */
export interface RejectedPostbacks {
  add(rejected: RejectedPostback): void;
  /** Stores what was counted so far. Rejects where PostgreSQL does not respond; the counts are then stored later. */
  flush(): Promise<void>;
  /** Stores the last counts; rejects like {@link flush}. */
  stop(): Promise<void>;
}

/**
 * Counts in memory and stores every five seconds, so that neither the memory nor the writes grow with what strangers send. What a
 * process had not stored when it was killed is lost.
 */
export function startRejectedPostbacks(db: Database, log: Logger, now: () => Date): RejectedPostbacks {
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
  const timer = setInterval(() => {
    if (counts.size > 0)
      flush().catch((err: unknown) => log.warn({ err }, 'rejected postbacks could not be stored yet'));
  }, STORE_EVERY_MS).unref();
  return {
    add({ itemId: named, reason, body }) {
      const lastAt = now();
      const day = lastAt.toISOString().slice(0, 10);
      const itemId = counts.size < KEYS_MAX ? named : '';
      const sample = JSON.stringify(body).slice(0, SAMPLE_CHARS_MAX);
      merge(counts, `${day} ${reason} ${itemId}`, { day, itemId, reason, count: 1, lastAt, sample });
    },
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}

function merge(counts: Map<string, RejectedCount>, key: string, added: RejectedCount): void {
  const known = counts.get(key);
  const newest = known && known.lastAt > added.lastAt ? known : added;
  counts.set(key, { ...newest, count: (known?.count ?? 0) + added.count });
}
