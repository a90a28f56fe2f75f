/** Share of a core that explaining requests may take, in milliseconds a second. */
const BUDGET_MS_PER_SECOND = 20;
/** Cost of the first explanation until one was measured, ms. */
const FIRST_COST_MS = 2;
/** Most by which one measurement raises the known cost: when a process waits for a core, it takes longer than it works. */
const RISE = 1.1;
const SECOND_MS = 1000;

/**
 * Chooses every n-th request, where n follows the rate of requests and the measured cost of explaining one, so that all
 * explanations together take a fiftieth of a core at most. With little traffic every request is chosen.
 */
export class Sampling {
  readonly #budgetMs: number;
  #every = 1;
  #costMs = FIRST_COST_MS;
  #seen = 0;
  #sinceLast = 0;
  #countedFromMs = -Infinity;

  constructor(budgetMsPerSecond = BUDGET_MS_PER_SECOND) {
    this.#budgetMs = budgetMsPerSecond;
  }

  /**
   * Counts a request; the number of requests that it stands for if it is chosen, those since the last chosen one, and 0 if
   * it is not. While `isBusy` none is chosen.
   */
  weigh(nowMs: number, isBusy: boolean): number {
    this.#seen += 1;
    this.#sinceLast += 1;
    if (nowMs - this.#countedFromMs >= SECOND_MS) this.#adapt(nowMs);
    if (isBusy || this.#sinceLast < this.#every) return 0;
    const weight = this.#sinceLast;
    this.#sinceLast = 0;
    return weight;
  }

  /** Adds the cost of an explanation. */
  measured(ms: number): void {
    this.#costMs = Math.min(ms, this.#costMs * RISE);
  }

  #adapt(nowMs: number): void {
    const perSecond = (this.#seen * SECOND_MS) / Math.max(SECOND_MS, nowMs - this.#countedFromMs);
    this.#every = Math.max(1, Math.ceil((perSecond * this.#costMs) / this.#budgetMs));
    this.#seen = 0;
    this.#countedFromMs = nowMs;
  }
}
