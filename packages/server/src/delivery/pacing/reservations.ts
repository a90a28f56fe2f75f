import type { Micros } from '@bidwell/contract/money';

/** Money that a bid reserves until it is charged, lost or expired. */
export interface Reservation<Holder> {
  readonly bidId: string;
  readonly holder: Holder;
  readonly micros: Micros;
  readonly expiresAtMs: number;
}

/** A reservation, linked into the queue of those with the same duration. */
interface Entry<Holder> extends Reservation<Holder> {
  readonly queue: Queue<Holder>;
  previous: Entry<Holder> | null;
  next: Entry<Holder> | null;
}

/** Oldest first, which is the order in which they expire. */
interface Queue<Holder> {
  oldest: Entry<Holder> | null;
  newest: Entry<Holder> | null;
}

/**
 * Reservations of bids that wait for their notice, each for the duration that its caller gives. There is a queue for each
 * distinct duration, so fewer durations are cheaper.
 */
export class Reservations<Holder> {
  readonly #waiting = new Map<string, Entry<Holder>>();
  /** Queues by duration, ms. */
  readonly #queues = new Map<number, Queue<Holder>>();

  get size(): number {
    return this.#waiting.size;
  }

  add(bidId: string, holder: Holder, micros: Micros, nowMs: number, reservationMs: number): void {
    let queue = this.#queues.get(reservationMs);
    if (!queue) this.#queues.set(reservationMs, (queue = { oldest: null, newest: null }));
    const { newest } = queue;
    const entry = {
      bidId,
      holder,
      micros,
      expiresAtMs: nowMs + reservationMs,
      queue,
      previous: newest,
      next: null,
    };
    if (newest) newest.next = entry;
    else queue.oldest = entry;
    queue.newest = entry;
    this.#waiting.set(bidId, entry);
  }

  /** Removes and returns a reservation; undefined when there is none. */
  take(bidId: string): Reservation<Holder> | undefined {
    const entry = this.#waiting.get(bidId);
    if (!entry) return undefined;
    this.#waiting.delete(bidId);
    const { queue, previous, next } = entry;
    if (previous) previous.next = next;
    else queue.oldest = next;
    if (next) next.previous = previous;
    else queue.newest = previous;
    return entry;
  }

  /** Removes up to `max` expired reservations, the oldest of each duration first, and passes each to `freed`. */
  expire(nowMs: number, max: number, freed: (reservation: Reservation<Holder>) => void): void {
    let left = max;
    for (const queue of this.#queues.values()) {
      for (; left > 0 && queue.oldest && queue.oldest.expiresAtMs <= nowMs; left -= 1) {
        const expired = queue.oldest;
        this.take(expired.bidId);
        freed(expired);
      }
    }
  }
}
