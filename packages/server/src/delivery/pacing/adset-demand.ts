import type { Micros } from '@bidwell/contract/lib/money';

/** A lease covers this many intervals of renewal at the recent rate of bidding … */
const LEASE_INTERVALS = 3;
/** … at least this many impressions, */
const LEASE_IMPRESSIONS_MIN = 50;
/** … and at most this part of a budget, and this amount. */
const LEASE_PART_MAX = 0.01;
const LEASE_MICROS_MAX = 20_000_000;
/** Money likely to be bid before the next request: this many intervals at the recent rate. */
const NEXT_INTERVALS = 3;
/** After this long without an offer an ad set leases one impression only, enough for the next offer. */
const IDLE_SECONDS = 30;

/** Counters of one ad set's offers and bids, from which the lease that it wants follows. */
export class AdsetDemand {
  /** Since the last call of {@link nextTarget}: money bid, whether the lease was too small for a bid, and matching offers. */
  committedMicros: Micros = 0;
  missed = false;
  offers = 0;
  /** Offers that {@link takeOffers} has not returned yet. */
  #uncountedOffers = 0;
  /** Time since the last offer. */
  #idleSeconds = 0;
  #microsPerSecond = 0;

  /** Upper estimate of what bids will reserve before the next request. */
  expectedMicros(intervalSeconds: number): Micros {
    return Math.ceil(this.#microsPerSecond * NEXT_INTERVALS * intervalSeconds);
  }

  /**
   * Computes the unreserved money that an ad set wants in its lease, from what happened in the `elapsedSeconds` since the
   * last call and from the previous target, and starts the counters again. An impression costs at most `unitMicros`; the
   * lease is renewed every `intervalSeconds`.
   */
  nextTarget(
    targetMicros: Micros,
    { unitMicros, budgetMicros }: { unitMicros: Micros; budgetMicros: Micros },
    elapsedSeconds: number,
    intervalSeconds: number,
  ): Micros {
    const now = this.committedMicros / elapsedSeconds;
    // The rate rises at once and falls slowly.
    this.#microsPerSecond = Math.max(now, this.#microsPerSecond * 0.7 + now * 0.3);
    const atLeast = LEASE_IMPRESSIONS_MIN * unitMicros;
    const atMost = Math.max(atLeast, Math.min(LEASE_MICROS_MAX, budgetMicros * LEASE_PART_MAX));
    const wished = Math.max(
      atLeast,
      this.#microsPerSecond * LEASE_INTERVALS * intervalSeconds,
      this.missed ? targetMicros * 2 : 0,
    );
    this.#idleSeconds = this.offers > 0 ? 0 : this.#idleSeconds + elapsedSeconds;
    const target = this.#idleSeconds > IDLE_SECONDS ? unitMicros : Math.min(atMost, wished);
    this.#uncountedOffers += this.offers;
    this.committedMicros = 0;
    this.offers = 0;
    this.missed = false;
    return Math.floor(target);
  }

  /** Offers counted since the last call, up to the last request. */
  takeOffers(): number {
    const offers = this.#uncountedOffers;
    this.#uncountedOffers = 0;
    return offers;
  }
}
