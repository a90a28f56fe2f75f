import { type ReadCache, readCache } from './lru-cache.ts';

/**
 * Cached values that expire after `ttlMs`, at most `sizeMax` of them; the least recently used are evicted first.
 * Concurrent callers share a look-up.
 */
export class TtlCache<Value> {
  // Wrapped in an object, because a look-up may return undefined.
  readonly #cache: ReadCache<{ value: Value }>;

  constructor(ttlMs: number, sizeMax: number) {
    this.#cache = readCache({ ttlMs, sizeMax });
  }

  /** The cached value, or a new one from `look`. A failed look-up is not cached; its error is thrown. */
  async get(key: string, look: () => Promise<Value>): Promise<Value> {
    const { value } = await this.#cache.forceFetch(key, { context: async () => ({ value: await look() }) });
    return value;
  }
}
