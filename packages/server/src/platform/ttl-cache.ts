/** Answers kept for a while, at most `sizeMax` of them, the oldest dropped first. Callers at once share one look-up. */
export class TtlCache<Value> {
  readonly #ttlMs: number;
  readonly #sizeMax: number;
  readonly #entries = new Map<string, { value: Promise<Value>; untilMs: number }>();

  constructor(ttlMs: number, sizeMax: number) {
    this.#ttlMs = ttlMs;
    this.#sizeMax = sizeMax;
  }

  /** The kept answer, or a new one from `look`. A failed look-up is not kept. */
  get(key: string, look: () => Promise<Value>): Promise<Value> {
    const nowMs = Date.now();
    const kept = this.#entries.get(key);
    if (kept && kept.untilMs > nowMs) return kept.value;
    const value = look();
    this.#entries.delete(key);
    this.#entries.set(key, { value, untilMs: nowMs + this.#ttlMs });
    value.catch(() => this.#entries.delete(key));
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#sizeMax) break;
      this.#entries.delete(oldest);
    }
    return value;
  }
}
