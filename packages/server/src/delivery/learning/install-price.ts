import { LRUCache } from 'lru-cache';

/** How strongly the price follows where spending is behind or ahead of its plan. */
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
 * with Smooth Budget Delivery in Online Advertising", ADKDD 2013). The price rises while spending is behind its plan and
 * falls while it is ahead.
 */
export class InstallPrices {
  readonly #states = new LRUCache<string, State>({ max: ADSETS_MAX });

  /**
   * Micros for one install. `usual` is where to begin: what an install costs at the ad set's CPM. `ahead` is by which share of
   * the day's budget spending is ahead of its plan, below 0 when it is behind.
   */
  priceOf(adsetId: string, usual: number, ahead: number, nowMs: number): number {
    let state = this.#states.get(adsetId);
    if (!state) this.#states.set(adsetId, (state = { price: usual, first: usual, atMs: nowMs }));
    if (nowMs - state.atMs >= STEP_MS) {
      state.atMs = nowMs;
      const wanted = state.price * Math.exp(-GAIN * Math.max(-0.5, Math.min(0.5, ahead * 10)));
      state.price = Math.min(state.first * HIGHEST_SHARE, Math.max(state.first * LOWEST_SHARE, wanted));
    }
    return state.price;
  }
}
