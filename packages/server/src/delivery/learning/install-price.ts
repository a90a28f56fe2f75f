import { LRUCache } from 'lru-cache';

/** The share of offers that should be bid on: a little less than all, so that there is room to spend more. */
const PACE_WANTED = 0.9;
/** How strongly the price follows the pace. */
const GAIN = 0.6;
/** A price changes at most so often: spending needs time to follow. */
const STEP_MS = 15_000;
/** Between which multiples of its first value a price may move. */
const LOWEST_SHARE = 1 / 50;
const HIGHEST_SHARE = 50;
/** Ad sets that are remembered: those that bid least recently are forgotten. */
const ADSETS_MAX = 100_000;

interface State {
  price: number;
  first: number;
  atMs: number;
}

/**
 * What ad sets that want the most installs for a daily budget pay for one now. Of all that a day offers, the budget buys the
 * most when every impression is bought that promises an install for no more than one price, and the price is such that the
 * budget lasts until midnight (the shadow price of the budget: K.-C. Lee, A. Jalali, A. Dasdan, "Real Time Bid Optimization
 * with Smooth Budget Delivery in Online Advertising", ADKDD 2013). Pacing keeps spending to its plan by leaving offers out;
 * while it leaves many out the price falls, so that the dearest are left out in place of any.
 */
export class InstallPrices {
  readonly #states = new LRUCache<string, State>({ max: ADSETS_MAX });

  /** Micros for one install. `usual` is where to begin; `pace` is the share of offers that are bid on, 0 to 1. */
  priceOf(adsetId: string, usual: number, pace: number, nowMs: number): number {
    let state = this.#states.get(adsetId);
    if (!state) this.#states.set(adsetId, (state = { price: usual, first: usual, atMs: nowMs }));
    if (nowMs - state.atMs >= STEP_MS) {
      state.atMs = nowMs;
      const wanted = state.price * Math.exp(GAIN * (pace - PACE_WANTED));
      state.price = Math.min(state.first * HIGHEST_SHARE, Math.max(state.first * LOWEST_SHARE, wanted));
    }
    return state.price;
  }
}
