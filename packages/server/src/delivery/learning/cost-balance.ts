import type { Micros } from '@bidwell/contract/lib/money';
import { lruCache } from '../../platform/lru-cache.ts';

/** Charged impressions between two updates of the factor: enough to measure the effect of the last update. */
const IMPRESSIONS_PER_STEP = 200;
/** Exponent of the correction in each update; 1 would correct the whole error at once. */
const GAIN = 0.5;
const FACTOR_MAX = 4;

/** Maximum ad sets in memory; those that spent least recently are evicted. */
const ADSETS_MAX = 100_000;

interface Account {
  factor: number;
  impressions: number;
  /** Predicted value of the impressions since the last update: expected installs times what one may cost. */
  valueMicros: number;
  spentMicros: number;
}

/**
 * Factor by which an ad set with a target CPI, CPA or ROAS bids above its value, because second-price auctions charge less than the bid. A
 * feedback controller moves the factor until the average spend matches the predicted value, so that an install costs
 * what it may on average. One factor for all bids of the ad set buys the most installs at that average.
 */
export class CostBalance {
  readonly #accounts = lruCache<string, Account>(ADSETS_MAX);

  /** Records charged impressions. `valueMicros` is their predicted value together. */
  charge(
    adsetId: string,
    {
      impressions,
      valueMicros,
      spentMicros,
    }: { impressions: number; valueMicros: number; spentMicros: Micros },
  ): void {
    let account = this.#accounts.get(adsetId);
    if (!account)
      this.#accounts.set(adsetId, (account = { factor: 1, impressions: 0, valueMicros: 0, spentMicros: 0 }));
    account.impressions += impressions;
    account.valueMicros += valueMicros;
    account.spentMicros += spentMicros;
    if (account.impressions < IMPRESSIONS_PER_STEP || account.spentMicros === 0) return;
    const target = account.factor * (account.valueMicros / account.spentMicros) ** GAIN;
    account.factor = Math.min(FACTOR_MAX, Math.max(1, target));
    account.impressions = account.valueMicros = account.spentMicros = 0;
  }

  /** Current factor, from 1 (bid the value) to 4. */
  factorOf(adsetId: string): number {
    return this.#accounts.peek(adsetId)?.factor ?? 1;
  }
}
