import { LRUCache } from 'lru-cache';

/**
 * Cached responses that expire after `ttlMs`, at most `sizeMax` of them; the least recently used are evicted first.
 * Concurrent callers share a look-up.
 */
export class TtlCache<Value> {
  // Wrapped in an object, because a look-up may return undefined.
  readonly #answers: LRUCache<string, { value: Value }, () => Promise<Value>>;

  constructor(ttlMs: number, sizeMax: number) {
    this.#answers = new LRUCache<string, { value: Value }, () => Promise<Value>>({
      ttl: ttlMs,
      // Memory grows with the entries, see lru-cache.ts.
      maxSize: sizeMax,
      sizeCalculation: () => 1,
      fetchMethod: async (_key, _stale, { context }) => ({ value: await context() }),
    });
  }

  /** The cached response, or a new one from `look`. A failed look-up is not cached; its error is thrown. */
  async get(key: string, look: () => Promise<Value>): Promise<Value> {
    const { value } = await this.#answers.forceFetch(key, { context: look });
    return value;
  }
}
