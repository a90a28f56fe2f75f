import { LRUCache } from 'lru-cache';

/**
 * A cache of at most `entriesMax` entries; the least recently used are evicted first. Its memory grows with the entries:
 * with its option `max`, the library allocates room for all of them at once, which for the caches of one server takes a
 * tenth of a second and 30 MB.
 */
export function lruCache<Key extends {}, Value extends {}>(entriesMax: number): LRUCache<Key, Value> {
  return new LRUCache<Key, Value>({ maxSize: entriesMax, sizeCalculation: () => 1 });
}
