import type { Micros } from '@bidwell/contract/money';

/** Money and promised installs of this much are remembered, in impressions. */
const REMEMBERED_IMPRESSIONS = 2000;
/** Before so many impressions were won nothing is corrected. */
const KNOWN_FROM_IMPRESSIONS = 50;
const FACTOR_MAX = 3;

interface Account {
  impressions: number;
  /** Installs that the impressions promised, times the price wanted for each. */
  worthMicros: number;
  spentMicros: number;
}

/**
 * How much higher an ad set may bid than an impression is worth, because a second-price auction charges less than was bid:
 * what it pays for an install then comes to what its advertiser wants to pay.
 */
export class CostBalance {
  readonly #accounts = new Map<string, Account>();

  /** An impression was charged; `worthMicros` is what it promised. */
  charge(adsetId: string, worthMicros: number, spentMicros: Micros): void {
    let account = this.#accounts.get(adsetId);
    if (!account) this.#accounts.set(adsetId, (account = { impressions: 0, worthMicros: 0, spentMicros: 0 }));
    account.impressions += 1;
    account.worthMicros += worthMicros;
    account.spentMicros += spentMicros;
    if (account.impressions < REMEMBERED_IMPRESSIONS) return;
    account.impressions /= 2;
    account.worthMicros /= 2;
    account.spentMicros /= 2;
  }

  /** From 1 (bids are what they promise) to 3. */
  factorOf(adsetId: string): number {
    const account = this.#accounts.get(adsetId);
    if (!account || account.impressions < KNOWN_FROM_IMPRESSIONS || account.spentMicros <= 0) return 1;
    return Math.min(FACTOR_MAX, Math.max(1, account.worthMicros / account.spentMicros));
  }
}
