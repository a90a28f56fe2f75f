import { LRUCache } from 'lru-cache';

/** Answers that are cached for `ttlMs`, at most `sizeMax` of them, the least used evicted first. Callers at once share a look-up. */
export class TtlCache<Value> {
  // In a box: the answer may be that there is nothing.
  readonly #answers: LRUCache<string, { value: Value }, () => Promise<Value>>;

  constructor(ttlMs: number, sizeMax: number) {
    this.#answers = new LRUCache<string, { value: Value }, () => Promise<Value>>({
      ttl: ttlMs,
      max: sizeMax,
      fetchMethod: async (_key, _stale, { context }) => ({ value: await context() }),
    });
  }

  /** The cached answer, or a new one from `look`. A failed look-up is not cached; its error is thrown. */
  async get(key: string, look: () => Promise<Value>): Promise<Value> {
    const { value } = await this.#answers.forceFetch(key, { context: look });
    return value;
  }
}
