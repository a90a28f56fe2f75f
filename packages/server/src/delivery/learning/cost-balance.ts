import { LRUCache } from 'lru-cache';
import type { Micros } from '@bidwell/contract/money';

/** The factor is set anew after so many impressions were charged: by then they tell what the last one led to. */
const IMPRESSIONS_PER_STEP = 200;
/** How much of the way a step goes. */
const GAIN = 0.5;
const FACTOR_MAX = 4;

/** Ad sets that are remembered: those that spent least recently are forgotten. */
const ADSETS_MAX = 100_000;

interface Account {
  factor: number;
  impressions: number;
  /** What the impressions since the last step promised: installs times the price wanted for each. */
  worthMicros: number;
  spentMicros: number;
}

/**
 * How much more an ad set bids than an impression is worth to it, because second-price auctions charge less than was bid: with
 * one factor for all of its bids, what it pays for an install on the average comes to what its advertiser wants to pay, and
 * no other way of bidding buys more installs for that.
 */
export class CostBalance {
  readonly #accounts = new LRUCache<string, Account>({ max: ADSETS_MAX });

  /** An impression was charged; `worthMicros` is what it promised. */
  charge(adsetId: string, worthMicros: number, spentMicros: Micros): void {
    let account = this.#accounts.get(adsetId);
    if (!account)
      this.#accounts.set(adsetId, (account = { factor: 1, impressions: 0, worthMicros: 0, spentMicros: 0 }));
    account.impressions += 1;
    account.worthMicros += worthMicros;
    account.spentMicros += spentMicros;
    if (account.impressions < IMPRESSIONS_PER_STEP || account.spentMicros === 0) return;
    const wanted = account.factor * (account.worthMicros / account.spentMicros) ** GAIN;
    account.factor = Math.min(FACTOR_MAX, Math.max(1, wanted));
    account.impressions = account.worthMicros = account.spentMicros = 0;
  }

  /** From 1 (bids are what they promise) to 4. */
  factorOf(adsetId: string): number {
    return this.#accounts.peek(adsetId)?.factor ?? 1;
  }
}
