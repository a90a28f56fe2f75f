import { LRUCache } from 'lru-cache';

/**
 * A cache of at most `entriesMax` entries; the least recently used are evicted first. Its memory grows with the entries:
 * with its option `max`, the library allocates room for all of them at once, which for the caches of one server takes a
 * tenth of a second and 30 MB.
 */
export function lruCache<Key extends {}, Value extends {}>(entriesMax: number): LRUCache<Key, Value> {
  return new LRUCache<Key, Value>({ maxSize: entriesMax, sizeCalculation: () => 1 });
}

/** A cache of values that are read: `forceFetch(key, { context: read })`. Concurrent callers of a key share one read. */
export type ReadCache<Value extends {}> = LRUCache<string, Value, () => Promise<Value>>;

/** Limits of a {@link ReadCache}; an entry counts 1 towards `sizeMax` unless `sizeOf` says otherwise. */
interface ReadCacheLimits<Value> {
  sizeMax: number;
  sizeOf?: (value: Value, key: string) => number;
  /** Larger entries are not cached. */
  entrySizeMax?: number;
  ttlMs?: number;
  /** An expired value is kept if it cannot be read again. */
  keepOnError?: boolean;
}

/** Creates a {@link ReadCache}; the least recently used entries are evicted first. A failed read is not cached. */
export function readCache<Value extends {}>({
  sizeMax,
  sizeOf = () => 1,
  entrySizeMax = sizeMax,
  ttlMs = 0,
  keepOnError = false,
}: ReadCacheLimits<Value>): ReadCache<Value> {
  return new LRUCache<string, Value, () => Promise<Value>>({
    maxSize: sizeMax,
    maxEntrySize: entrySizeMax,
    sizeCalculation: sizeOf,
    ttl: ttlMs,
    noDeleteOnFetchRejection: keepOnError,
    fetchMethod: async (_key, _stale, { context }) => context(),
  });
}
