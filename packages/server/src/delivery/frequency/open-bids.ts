import { NO_SLOT, SlotTable } from '../../platform/slot-table.ts';
import type { Digest } from '../model/frequency.ts';
import { COUNTER_BYTES } from './impression-table.ts';
import { Places, WordColumn } from './word-column.ts';

/** Columns of a bid and its place in the look-up, and two counters that it may hold alone, in bytes. */
const BID_BYTES = 7 * 4 + 16 + 2 * COUNTER_BYTES;
const TABLES = 1024;
/** Seconds that the wheel of expiries covers: more than a reservation takes. */
const WHEEL_SECONDS = 8192;

/** In place of the expiry where there is no bid. */
const FREE = 0;

/** What an open bid counts for: the counters of its ad set and campaign; NO_SLOT for one without caps. */
export interface HeldCounters {
  readonly adset: number;
  readonly campaign: number;
}

/** An open bid. */
export interface OpenBid {
  readonly bid: Digest;
  readonly held: HeldCounters;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/**
 * Bids whose outcome is not known, each until its outcome or its expiry. They are found by the digest of the bid, and expire by a wheel with a
 * list for each second. In columns outside of the heap, at most as many as their memory allows.
 */
export class OpenBids {
  readonly #bidsMax: number;
  readonly #tables = Array.from({ length: TABLES }, () => new SlotTable());
  readonly #high = new WordColumn();
  readonly #low = new WordColumn();
  readonly #adset = new WordColumn();
  readonly #campaign = new WordColumn();
  readonly #expiresAt = new WordColumn();
  readonly #previous = new WordColumn();
  readonly #next = new WordColumn();
  readonly #places = new Places(this.#next);
  readonly #wheel = new Uint32Array(WHEEL_SECONDS).fill(NO_SLOT);
  /** Seconds up to which bids have expired. */
  #passed = 0;

  constructor(bytes: number) {
    this.#bidsMax = Math.max(1, Math.floor(bytes / BID_BYTES));
  }

  get size(): number {
    return this.#places.size;
  }

  get bidsMax(): number {
    return this.#bidsMax;
  }

  get isFull(): boolean {
    return this.#places.size >= this.#bidsMax;
  }

  has(bid: Digest): boolean {
    return this.#find(bid) !== NO_SLOT;
  }

  /** Adds a bid that is not there, while there is room. {@link OpenBids.expire} was called with the present second before. */
  add({ bid, held, expiresAt }: OpenBid): void {
    const place = this.#places.take();
    // The lists of earlier seconds are passed; those of later ones would be taken for earlier ones.
    const second = Math.min(Math.max(expiresAt, this.#passed + 1), this.#passed + WHEEL_SECONDS - 1);
    const list = second % WHEEL_SECONDS;
    const next = this.#wheel[list]!;
    this.#high.set(place, bid.high);
    this.#low.set(place, bid.low);
    this.#adset.set(place, held.adset);
    this.#campaign.set(place, held.campaign);
    this.#expiresAt.set(place, second);
    this.#previous.set(place, NO_SLOT);
    this.#next.set(place, next);
    if (next !== NO_SLOT) this.#previous.set(next, place);
    this.#wheel[list] = place;
    this.#tableOf(bid).add(place, bid.low, this.#lowOf);
  }

  /** Removes a bid and returns what it holds; null where it is not open. */
  take(bid: Digest): HeldCounters | null {
    const place = this.#find(bid);
    return place === NO_SLOT ? null : this.#remove(place);
  }

  /** Removes the bids that expired until a second, and passes what each holds. */
  expire(untilSeconds: number, expired: (held: HeldCounters) => void): void {
    // The clock was set back: bids that are added from now on expire by it.
    if (untilSeconds < this.#passed) this.#passed = untilSeconds;
    const from = Math.max(this.#passed + 1, untilSeconds - WHEEL_SECONDS + 1);
    for (let second = from; second <= untilSeconds; second += 1) {
      for (let place = this.#wheel[second % WHEEL_SECONDS]!; place !== NO_SLOT;) {
        const next = this.#next.get(place);
        if (this.#expiresAt.get(place) <= untilSeconds) expired(this.#remove(place));
        place = next;
      }
    }
    this.#passed = untilSeconds;
  }

  /** The open bids. They may change in between. */
  *all(): Generator<OpenBid> {
    for (let place = 0; place < this.#places.used; place += 1) {
      const expiresAt = this.#expiresAt.get(place);
      if (expiresAt === FREE) continue;
      yield {
        bid: { high: this.#high.get(place), low: this.#low.get(place) },
        held: { adset: this.#adset.get(place), campaign: this.#campaign.get(place) },
        expiresAt,
      };
    }
  }

  #find({ high, low }: Digest): number {
    return this.#tables[high & (TABLES - 1)]!.find(
      low,
      this.#lowOf,
      (place) => this.#high.get(place) === high,
    );
  }

  #remove(place: number): HeldCounters {
    const [previous, next] = [this.#previous.get(place), this.#next.get(place)];
    if (previous === NO_SLOT) this.#wheel[this.#expiresAt.get(place) % WHEEL_SECONDS] = next;
    else this.#next.set(previous, next);
    if (next !== NO_SLOT) this.#previous.set(next, previous);
    const bid = { high: this.#high.get(place), low: this.#low.get(place) };
    this.#tableOf(bid).take(bid.low, this.#lowOf, (other) => other === place);
    const held = { adset: this.#adset.get(place), campaign: this.#campaign.get(place) };
    this.#expiresAt.set(place, FREE);
    this.#places.release(place);
    return held;
  }

  #tableOf({ high }: Digest): SlotTable {
    return this.#tables[high & (TABLES - 1)]!;
  }

  readonly #lowOf = (place: number): number => this.#low.get(place);
}
