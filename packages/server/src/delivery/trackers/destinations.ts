import type { Logger } from 'pino';
import { Unavailable } from '../../platform/errors.ts';
import { inTime } from '../../platform/concurrency/in-time.ts';
import type { Database } from '../../platform/postgres/client.ts';
import type { BidRef } from '../model/event.ts';
import type { Destination } from '../model/destination.ts';
import { findDestination } from './store.ts';
import { lruCache } from '../../platform/lru-cache.ts';

/** Looks up the destinations of clicks. */
export interface Destinations {
  /**
   * Null when the ad set does not exist any more. Throws Unavailable when the database is unavailable and no destination
   * is cached.
   */
  of(ref: Pick<BidRef, 'companyId' | 'adsetId' | 'campaignId' | 'creativeId'>): Promise<Destination | null>;
}

/** Expiry of cached destinations: a changed link applies to clicks within this time. */
const FRESH_MS = 30_000;
/** Timeout of the look-up, since a person waits for the redirect. */
const TIMEOUT_MS = 1000;
const DESTINATIONS_MAX = 20_000;
const RETRY_AFTER_SECONDS = 5;

interface Known {
  destination: Destination | null;
  /** By the monotonic clock, which tests do not set. */
  readAtMs: number;
}

/**
 * Reads destinations from the database and caches them. While the database is unavailable or slow, a click follows the
 * cached destination, or that of the snapshot (`running`, which a tracker loads from disk at its start), so that the
 * person still arrives.
 */
export function createDestinations(options: {
  db: Database;
  log: Logger;
  /** The destination of a creative of an ad set that may bid; null for any other. */
  running: (adsetId: string, creativeId: string) => Destination | null;
}): Destinations {
  const { db, log, running } = options;
  const known = lruCache<string, Known>(DESTINATIONS_MAX);
  const reading = new Map<string, Promise<Destination | null>>();

  const read = (key: string, { companyId, ...ids }: Parameters<Destinations['of']>[0]) => {
    const underWay = reading.get(key);
    if (underWay) return underWay;
    const look = (async () => {
      const destination = await findDestination(db, companyId, ids);
      known.set(key, { destination, readAtMs: performance.now() });
      return destination;
    })().finally(() => reading.delete(key));
    reading.set(key, look);
    return look;
  };

  return {
    async of(ref) {
      const key = `${ref.companyId}${ref.adsetId}${ref.campaignId}${ref.creativeId}`;
      const last = known.get(key);
      if (last && performance.now() - last.readAtMs < FRESH_MS) return last.destination;
      try {
        return await inTime(read(key, ref), TIMEOUT_MS, `no answer within ${TIMEOUT_MS} ms`);
      } catch (err) {
        const destination = last ? last.destination : running(ref.adsetId, ref.creativeId);
        log.error({ err, followed: destination !== null }, 'the destination of a click could not be read');
        if (!last && !destination) throw new Unavailable(undefined, RETRY_AFTER_SECONDS);
        return destination;
      }
    },
  };
}
