import type { Micros } from '@bidwell/contract/lib/money';
import type { StoredCharge } from '../event-store/event-store.ts';

/** A price that the exchange's server named for a bid, and what the bid was charged since. */
export interface RecentPrice {
  namedCpmMicros: Micros;
  charge: StoredCharge | null;
}

/**
 * The named prices of recent bids, so that most of them need no look-up. Bounded: the oldest are evicted first.
 */
export class RecentPrices {
  #max: number;
  readonly #prices = new Map<string, RecentPrice>();

  constructor(max: number) {
    this.#max = max;
  }

  get(bidId: string): RecentPrice | undefined {
    return this.#prices.get(bidId);
  }

  /** Adds a named price; of several the highest counts. */
  add(bidId: string, namedCpmMicros: Micros): void {
    const before = this.#prices.get(bidId);
    if (before) before.namedCpmMicros = Math.max(before.namedCpmMicros, namedCpmMicros);
    else this.#prices.set(bidId, { namedCpmMicros, charge: null });
    this.#shrink();
  }

  /** Records the charge of a bid that is in it. */
  charged(bidId: string, charge: StoredCharge): void {
    const recent = this.#prices.get(bidId);
    if (recent) recent.charge = charge;
  }

  /** Changes how many it holds. */
  limit(max: number): void {
    this.#max = max;
    this.#shrink();
  }

  #shrink(): void {
    for (const bidId of this.#prices.keys()) {
      if (this.#prices.size <= this.#max) return;
      this.#prices.delete(bidId);
    }
  }
}
