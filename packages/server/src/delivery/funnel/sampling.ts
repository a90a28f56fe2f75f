/** CPU time for explaining requests, in milliseconds a second. */
const BUDGET_MS_PER_SECOND = 8;
/** How much of it may be saved up: one second's, so that traffic after a pause does not pay for the pause. */
const SAVED_MS_MAX = BUDGET_MS_PER_SECOND;
/** Assumed cost of an explanation until one was measured, ms. */
const FIRST_COST_MS = 2;
/** Weight of the newest measurement in the average cost. */
const NEWEST_SHARE = 0.2;
/** Largest measurement that counts, in multiples of the average: a process may have to wait for a core. */
const OUTLIER = 4;

/**
 * Chooses which requests are explained: as many as the time for it allows, spread over the traffic. With little traffic all
 * are chosen.
 */
export class Sampling {
  #savedMs = SAVED_MS_MAX;
  #atMs = -Infinity;
  #costMs = FIRST_COST_MS;
  #sinceLast = 0;

  /**
   * Counts a request. If it is chosen, returns the number of requests that it stands for: all since the last chosen one.
   * Otherwise returns 0. No request is chosen while `isBusy`.
   */
  weigh(nowMs: number, isBusy: boolean): number {
    this.#sinceLast += 1;
    const elapsedMs = Math.max(0, nowMs - this.#atMs);
    this.#savedMs = Math.min(SAVED_MS_MAX, this.#savedMs + (elapsedMs * BUDGET_MS_PER_SECOND) / 1000);
    this.#atMs = nowMs;
    if (isBusy || this.#savedMs <= 0) return 0;
    this.#savedMs -= this.#costMs;
    const weight = this.#sinceLast;
    this.#sinceLast = 0;
    return weight;
  }

  /** Adds the measured cost of an explanation, from which that of the next is estimated. */
  measured(ms: number): void {
    const countedMs = Math.min(ms, 1 + this.#costMs * OUTLIER);
    this.#costMs += (countedMs - this.#costMs) * NEWEST_SHARE;
  }
}
