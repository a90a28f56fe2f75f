import { lruCache } from '../../platform/lru-cache.ts';

/** Target share of offers to bid on. Below 1, so that there is room to spend more. */
const PACE_TARGET = 0.9;
/** Gain of the controller: how strongly the price follows the pace. */
const GAIN = 0.6;
/** Minimum interval between price changes, since spending follows with a delay. */
const STEP_MS = 15_000;
/** Bounds of the price, as multiples of its first value. */
const LOWEST_SHARE = 1 / 50;
const HIGHEST_SHARE = 50;
/** Maximum ad sets in memory; the ad sets that bid least recently are evicted. */
const ADSETS_MAX = 100_000;

interface State {
  price: number;
  first: number;
  atMs: number;
}

/**
 * Price per install that Max installs ad sets currently bid. A daily budget buys the most installs when every impression
 * is bought whose expected cost per install is below one price, chosen such that the budget lasts until midnight (the
 * shadow price of the budget: K.-C. Lee, A. Jalali, A. Dasdan, "Real Time Bid Optimization with Smooth Budget Delivery
 * in Online Advertising", ADKDD 2013). Pacing keeps spending on schedule by skipping offers at random. The controller
 * lowers the price while pacing skips many, so that the expensive offers are skipped instead, and raises it otherwise.
 */
export class InstallPrices {
  readonly #states = lruCache<string, State>(ADSETS_MAX);

  /** Price of an install, micros. `initialPrice` is the first price; `pace` is the share of offers bid on, 0 to 1. */
  priceOf(adsetId: string, initialPrice: number, pace: number, nowMs: number): number {
    let state = this.#states.get(adsetId);
    if (!state)
      this.#states.set(adsetId, (state = { price: initialPrice, first: initialPrice, atMs: nowMs }));
    if (nowMs - state.atMs >= STEP_MS) {
      state.atMs = nowMs;
      const target = state.price * Math.exp(GAIN * (pace - PACE_TARGET));
      state.price = Math.min(state.first * HIGHEST_SHARE, Math.max(state.first * LOWEST_SHARE, target));
    }
    return state.price;
  }
  /** The price that {@link InstallPrices.priceOf} returned last, without a step of the controller. */
  lastPriceOf(adsetId: string, initialPrice: number): number {
    return this.#states.get(adsetId)?.price ?? initialPrice;
  }
}
