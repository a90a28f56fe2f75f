import { type ReadCache, readCache } from './lru-cache.ts';

/**
 * Cached values that expire after `ttlMs`, at most `sizeMax` of them; the least recently used are evicted first.
 * Concurrent callers share a look-up.
 */
export class TtlCache<Value> {
  // Wrapped in an object, because a look-up may return undefined.
  readonly #cache: ReadCache<{ value: Value }>;

  readonly #staleOnError: boolean;

  /** With `staleOnError`, an expired value is returned where the look-up fails. */
  constructor(ttlMs: number, sizeMax: number, { staleOnError = false } = {}) {
    this.#staleOnError = staleOnError;
    this.#cache = readCache({ ttlMs, sizeMax, keepOnError: staleOnError });
  }

  /** The cached value, or a new one from `look`. A failed look-up is not cached; its error is thrown, see the constructor. */
  async get(key: string, look: () => Promise<Value>): Promise<Value> {
    try {
      const { value } = await this.#cache.forceFetch(key, { context: async () => ({ value: await look() }) });
      return value;
    } catch (error) {
      const expired = this.#staleOnError ? this.#cache.peek(key, { allowStale: true }) : undefined;
      if (!expired) throw error;
      return expired.value;
    }
  }
}
