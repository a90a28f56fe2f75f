import type { Micros } from '@bidwell/contract/lib/money';
import { invariant } from '../../platform/invariant.ts';
import type { Lease } from './leases.ts';

/** One bidder's lease of one ad set's budget: what it may spend, reserves, and has told the lease store. */
export class AdsetLease {
  micros: Micros = 0;
  /** The part that bids reserve. */
  reservedMicros: Micros = 0;
  /** Charged since the last request, and so still part of the lease in the store's response. */
  chargedMicros: Micros = 0;
  /** Desired unreserved money in the lease. */
  targetMicros: Micros = 0;
  /** The limit that left less room than one impression; null when none did. */
  bound: Lease['bound'] = null;
  /** Share of offers to bid on; 1 without even pacing. */
  pace = 1;
  /** When the lease was last requested; -Infinity requests it at once. */
  requestedAtMs = -Infinity;
  /** Whether the store may hold a lease of the ad set, and the lease in its last response. */
  #isStored = false;
  #storedMicros: Micros = 0;
  /** Money reserved, or likely to be soon, as the last request reported it. */
  #reportedMicros: Micros = 0;

  get freeMicros(): Micros {
    return this.micros - this.reservedMicros;
  }

  /** The lease that the ad set wants. */
  get requestedMicros(): Micros {
    return Math.max(this.micros, this.reservedMicros + this.targetMicros);
  }

  /** Neither used nor requested, here or in the store. */
  get isEmpty(): boolean {
    return this.targetMicros === 0 && this.micros === 0 && !this.#isStored;
  }

  /** Whether the store knows less than it needs: of charges, of reservations, or of a change that it could grant. */
  get isOutdated(): boolean {
    if (this.chargedMicros > 0) return true;
    // If this bidder ended now, the store would free too much of the lease.
    if (this.reservedMicros > this.#reportedMicros) return true;
    return this.bound === null && this.requestedMicros !== this.#storedMicros;
  }

  /** Moves a reservation's money from the lease to what was charged. */
  charge(micros: Micros): void {
    this.release(micros);
    this.micros -= micros;
    this.chargedMicros += micros;
  }

  /** Ends a reservation. */
  release(micros: Micros): void {
    const leftMicros = this.reservedMicros - micros;
    invariant(leftMicros >= 0, 'more is released than bids reserve', () => ({
      reservedMicros: this.reservedMicros,
      micros,
    }));
    this.reservedMicros = leftMicros;
  }

  /** Gives back free money beyond the target; all of it when the store may have leased it to other bidders. */
  shrink(isFreeLost: boolean): void {
    const freeMicros = isFreeLost ? 0 : Math.max(0, this.freeMicros);
    this.micros = this.reservedMicros + Math.min(freeMicros, this.targetMicros);
  }

  /** Records a request to the store. `expectedMicros` is what bids are likely to reserve before the next one. */
  request(expectedMicros: Micros, nowMs: number): void {
    this.chargedMicros = 0;
    this.#isStored = true;
    this.requestedAtMs = nowMs;
    this.#reportedMicros = this.reservedMicros + expectedMicros;
  }

  /** Applies the store's response to the last request. */
  apply({ micros, roomMicros, bound, pace }: Lease): void {
    this.micros = micros - this.chargedMicros;
    this.chargedMicros = 0;
    this.#isStored = micros > 0;
    this.#storedMicros = micros;
    if (roomMicros < 0) this.micros -= Math.min(Math.max(0, this.freeMicros), -roomMicros);
    this.bound = bound;
    this.pace = pace;
  }
}
