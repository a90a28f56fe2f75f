/** A process that did nothing for this long was frozen, or its machine was suspended: messages of others may be lost, or wait unread. */
export const FROZEN_MS = 5000;

/**
 * Notices that this process did not run for a while. The clock has to run on while it does not, so the monotonic one will not do: some
 * machines stop it when they are suspended.
 */
export class PauseWatch {
  readonly #clock: () => number;
  #seenMs: number;

  constructor(clock: () => number) {
    this.#clock = clock;
    this.#seenMs = clock();
  }

  /** How long the process had been frozen, ms, at the first call after it; otherwise 0. Has to be called once a second. */
  frozenMs(): number {
    const nowMs = this.#clock();
    const pausedMs = nowMs - this.#seenMs;
    this.#seenMs = nowMs;
    return pausedMs > FROZEN_MS ? pausedMs : 0;
  }
}
