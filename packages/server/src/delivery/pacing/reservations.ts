import type { Micros } from '@bidwell/contract/money';
import { RESERVATION_MS } from './leases.ts';

/** What a bid holds back until it is charged, lost or expired. */
export interface Reservation<Holder> {
  bidId: string;
  holder: Holder;
  micros: Micros;
  expiresAtMs: number;
}

/** Bids that wait for their notice, oldest first. */
export class Reservations<Holder> {
  /** In the order in which they expire, since all live equally long. */
  readonly #waiting = new Map<string, Reservation<Holder>>();
  // Kept between calls: a new iterator would step over all that was deleted in front.
  #oldestFirst = this.#waiting.values();
  #oldest: Reservation<Holder> | undefined;

  get size(): number {
    return this.#waiting.size;
  }

  add(bidId: string, holder: Holder, micros: Micros, nowMs: number): void {
    this.#waiting.set(bidId, { bidId, holder, micros, expiresAtMs: nowMs + RESERVATION_MS });
  }

  /** Takes a reservation out; undefined when it is not there, or no more. */
  take(bidId: string): Reservation<Holder> | undefined {
    const reservation = this.#waiting.get(bidId);
    if (reservation) this.#waiting.delete(bidId);
    return reservation;
  }

  /** Takes out what has expired, oldest first and at most `max`, and hands it to `freed`. */
  expire(nowMs: number, max: number, freed: (reservation: Reservation<Holder>) => void): void {
    for (let left = max; left > 0; left -= 1) {
      this.#oldest ??= this.#nextOldest();
      if (!this.#oldest || this.#oldest.expiresAtMs > nowMs) return;
      const expired = this.take(this.#oldest.bidId);
      this.#oldest = undefined;
      if (expired) freed(expired);
    }
  }

  #nextOldest(): Reservation<Holder> | undefined {
    let next = this.#oldestFirst.next();
    if (next.done) {
      // An iterator that came to the end stays there, whatever is added later.
      this.#oldestFirst = this.#waiting.values();
      next = this.#oldestFirst.next();
    }
    return next.done ? undefined : next.value;
  }
}
