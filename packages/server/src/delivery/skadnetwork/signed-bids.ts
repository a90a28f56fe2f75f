import { addToSum } from '../../platform/group-by.ts';
import type { SkadnetworkOutcome } from '@bidwell/contract/skadnetwork/outcomes';

/** Counts of one exchange and day. */
export interface DayOutcomes {
  slug: string;
  /** YYYY-MM-DD, UTC. */
  day: string;
  outcome: SkadnetworkOutcome;
  requests: number;
}

const DAY_MS = 86_400_000;

/**
 * What a bidder has signed since it was last stored: the numbers that were bid with, and the requests of iOS apps by exchange and by whether
 * a bid on them could be signed. Bounded by the running ad sets, and by the exchanges.
 */
export class SignedBids {
  #numbers = new Map<string, number>();
  #outcomes = new Map<string, number>();
  #day = { fromMs: -Infinity, name: '' };

  bid(adsetId: string, itemId: number): void {
    this.#numbers.set(adsetId, itemId);
  }

  count(slug: string, outcome: SkadnetworkOutcome, atMs: number): void {
    if (atMs - this.#day.fromMs >= DAY_MS || atMs < this.#day.fromMs)
      this.#day = {
        fromMs: Math.floor(atMs / DAY_MS) * DAY_MS,
        name: new Date(atMs).toISOString().slice(0, 10),
      };
    addToSum(this.#outcomes, `${this.#day.name} ${outcome} ${slug}`, 1);
  }

  /** Everything since the last call. */
  take(): { bids: { adsetId: string; itemId: number }[]; outcomes: DayOutcomes[] } {
    const bids = [...this.#numbers].map(([adsetId, itemId]) => ({ adsetId, itemId }));
    const outcomes = [...this.#outcomes].map(([key, requests]) => {
      const [day = '', outcome, slug = ''] = key.split(' ');
      return { day, outcome: outcome as SkadnetworkOutcome, slug, requests };
    });
    this.#numbers = new Map();
    this.#outcomes = new Map();
    return { bids, outcomes };
  }

  /** Takes back what could not be stored. */
  putBack({ bids, outcomes }: ReturnType<SignedBids['take']>): void {
    for (const { adsetId, itemId } of bids)
      if (!this.#numbers.has(adsetId)) this.#numbers.set(adsetId, itemId);
    for (const { day, outcome, slug, requests } of outcomes)
      addToSum(this.#outcomes, `${day} ${outcome} ${slug}`, requests);
  }
}
