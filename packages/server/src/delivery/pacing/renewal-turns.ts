/** Leases that all bidders together renew in a second: PostgreSQL's load does not grow with the number of bidders. */
const RENEWALS_PER_SECOND = 2000;
/** A bidder renews at least this many, however many bidders there are. */
const RENEWALS_MIN = 20;
/** The part of the renewals that leases without money left may take from the others. */
const SHORT_PART_MAX = 0.75;

/** An ad set whose lease is to be renewed. */
export interface DueRenewal<T> {
  item: T;
  /** Position among all ad sets, which stays the same. */
  position: number;
  /** `now` is not limited: a first lease, or one that is given back; `short` is out of money. */
  urgency: 'now' | 'short' | 'other';
}

/**
 * Chooses the leases that a bidder renews now, so that all bidders together stay within the limit. Those beyond it take
 * turns, and cover a longer time accordingly.
 */
export class RenewalTurns {
  #perSecond = RENEWALS_PER_SECOND;
  #intervalSeconds = 1;
  /** Renewals that may be requested now; at most those of one second. */
  #credit = RENEWALS_PER_SECOND;
  readonly #last = { short: -1, other: -1 };

  /** Renewals of this bidder in a second. */
  get perSecond(): number {
    return this.#perSecond;
  }

  /** Time between two renewals of an ad set that bids, seconds; 1 at least. */
  get intervalSeconds(): number {
    return this.#intervalSeconds;
  }

  setBidders(bidders: number): void {
    this.#perSecond = Math.max(RENEWALS_MIN, Math.floor(RENEWALS_PER_SECOND / Math.max(1, bidders)));
  }

  /** Returns the renewals to request now, in the order of `due`, which is that of positions. */
  choose<T>(due: readonly DueRenewal<T>[], elapsedSeconds: number): readonly DueRenewal<T>[] {
    this.#credit = Math.min(this.#perSecond, this.#credit + this.#perSecond * elapsedSeconds);
    const limit = Math.floor(this.#credit);
    const short = due.filter(({ urgency }) => urgency === 'short');
    const other = due.filter(({ urgency }) => urgency === 'other');
    const count = short.length + other.length;
    this.#intervalSeconds = Math.max(1, count / this.#perSecond);
    this.#credit -= Math.min(count, limit);
    if (count <= limit) return due;
    const shortCount = Math.max(Math.floor(limit * SHORT_PART_MAX), limit - other.length);
    const chosen = new Set([
      ...this.#next('short', short, shortCount),
      ...this.#next('other', other, limit - Math.min(short.length, shortCount)),
    ]);
    return due.filter((renewal) => renewal.urgency === 'now' || chosen.has(renewal));
  }

  /** The next `count` after those that had their turn. */
  #next<T>(
    urgency: 'short' | 'other',
    due: readonly DueRenewal<T>[],
    count: number,
  ): readonly DueRenewal<T>[] {
    const after = due.findIndex(({ position }) => position > this.#last[urgency]);
    const from = Math.max(0, after);
    const next = [...due.slice(from), ...due.slice(0, from)].slice(0, count);
    this.#last[urgency] = next.at(-1)?.position ?? -1;
    return next;
  }
}
