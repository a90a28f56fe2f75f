import type { FrequencyCap } from '@bidwell/contract/frequency/caps';
import { NO_SLOT, SlotTable } from '../../platform/slot-table.ts';
import type { Digest } from '../model/frequency.ts';
import { Places, WordColumn } from './word-column.ts';

/** Words of an impression, of a counter, and of a counter's place in a look-up that is a quarter to half full, in bytes. */
const IMPRESSION_BYTES = 4 * 4;
export const COUNTER_BYTES = 4 * 4 + 16;
/** Parts of the look-up, so that growing one takes less than a millisecond. A power of two. */
const TABLES = 1024;
/** An impression is counted once however often it is reported within this time. */
const REPEATED_SECONDS = 86_400;

/** An impression in the table, as files have it. */
export interface StoredImpression {
  readonly counter: Digest;
  /** 32 bits of the bid's digest. */
  readonly bid: number;
  /** Unix seconds. */
  readonly at: number;
}

/**
 * Impressions by counter, which is a person and what is counted for it, and how many bids of a counter are open. Impressions are in a ring in
 * the order in which they were added, each linked with the counter's one before it: when the ring is full, the oldest is forgotten. All of it is
 * in columns outside of the heap, whose memory is bounded by the number of impressions.
 */
export class ImpressionTable {
  readonly #impressionsMax: number;
  readonly #tables = Array.from({ length: TABLES }, () => new SlotTable());
  /** Columns of counters: their digest, their newest impression, and their open bids. */
  readonly #high = new WordColumn();
  readonly #low = new WordColumn();
  readonly #newest = new WordColumn();
  readonly #open = new WordColumn();
  readonly #counters = new Places(this.#newest);
  /** Columns of impressions. */
  readonly #counterOf = new WordColumn();
  readonly #at = new WordColumn();
  readonly #bid = new WordColumn();
  readonly #before = new WordColumn();
  /** Impressions that were ever added; the next one goes to the place of this number. */
  #added = 0;
  #latest = 0;
  #forgotten = 0;
  #neededSeconds = 0;

  /** `bytes` is the memory of impressions with their counters; counters with open bids alone are their caller's. */
  constructor(bytes: number) {
    this.#impressionsMax = Math.max(1, Math.floor(bytes / (IMPRESSION_BYTES + COUNTER_BYTES)));
  }

  get impressionsMax(): number {
    return this.#impressionsMax;
  }

  /** Impressions in the table, and counters. */
  get size(): number {
    return Math.min(this.#added, this.#impressionsMax);
  }

  get counters(): number {
    return this.#counters.size;
  }

  /** Impressions that were forgotten while a cap may have needed them. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** The longest time of a cap: older impressions are not needed. */
  setNeeded(seconds: number): void {
    this.#neededSeconds = seconds;
  }

  /**
   * Whether a counter has reached one of its caps, with `more` further impressions under way. Impressions of exactly a cap's time ago
   * still count, and up to two seconds longer.
   */
  isReached(digest: Digest, caps: readonly FrequencyCap[], nowMs: number, more: number): boolean {
    const counter = this.#find(digest);
    const open = more + (counter === NO_SLOT ? 0 : this.#open.get(counter));
    const now = Math.floor(nowMs / 1000);
    let count = open;
    let impression = counter === NO_SLOT ? NO_SLOT : this.#newest.get(counter);
    // The shortest time first: each takes up the count of the one before.
    for (const { impressions, minutes } of caps) {
      const since = now - minutes * 60;
      while (count < impressions && impression !== NO_SLOT && this.#at.get(impression) >= since) {
        count += 1;
        impression = this.#older(impression);
      }
      if (count >= impressions) return true;
    }
    return false;
  }

  /** The counter with a digest, to hold a bid; a new one unless it exists. */
  hold(digest: Digest): number {
    const counter = this.#findOrAdd(digest);
    this.#open.set(counter, this.#open.get(counter) + 1);
    return counter;
  }

  /** Ends a bid of a counter. */
  release(counter: number): void {
    this.#open.set(counter, this.#open.get(counter) - 1);
    this.#freeUnused(counter);
  }

  /** The digest of a counter that is held. */
  digestOf(counter: number): Digest {
    return { high: this.#high.get(counter), low: this.#low.get(counter) };
  }

  /** Counts the impression of a bid at `atMs`; does nothing where it is counted already. */
  add(digest: Digest, bid: number, atMs: number): void {
    const counter = this.#findOrAdd(digest);
    const before = this.#newest.get(counter);
    const at = Math.ceil(atMs / 1000);
    if (this.#has(counter, bid, at)) return;
    this.#latest = Math.max(this.#latest, at);
    const place = this.#added % this.#impressionsMax;
    // Its own oldest impression may be the one whose place it takes.
    this.#open.set(counter, this.#open.get(counter) + 1);
    if (this.#added >= this.#impressionsMax) this.#evict(place);
    this.#open.set(counter, this.#open.get(counter) - 1);
    this.#counterOf.set(place, counter);
    this.#before.set(place, before === place ? NO_SLOT : before);
    this.#newest.set(counter, place);
    this.#added += 1;
    this.#insert(place, bid, at);
  }

  /** The impressions of the last `seconds` before the newest, oldest first. The table may change in between: none is given twice. */
  *stored(seconds: number): Generator<StoredImpression> {
    const end = this.#added;
    for (let number = end - this.size; number < end; number += 1) {
      // Its place may have a newer one by now.
      if (number < this.#added - this.#impressionsMax) continue;
      const place = number % this.#impressionsMax;
      const at = this.#at.get(place);
      if (at < this.#latest - seconds) continue;
      yield { counter: this.digestOf(this.#counterOf.get(place)), bid: this.#bid.get(place), at };
    }
  }

  /**
   * Puts an impression at its time among its counter's, whose newest place is empty, so that a walk may stop at the first that is too old. Few
   * come late; the ones that a bidder counts again from the events come in their order, before those that came meanwhile.
   */
  #insert(newest: number, bid: number, at: number): void {
    let place = newest;
    for (
      let older = this.#older(place);
      older !== NO_SLOT && this.#at.get(older) > at;
      older = this.#older(place)
    ) {
      this.#at.set(place, this.#at.get(older));
      this.#bid.set(place, this.#bid.get(older));
      place = older;
    }
    this.#at.set(place, at);
    this.#bid.set(place, bid);
  }

  #has(counter: number, bid: number, at: number): boolean {
    let impression = this.#newest.get(counter);
    while (impression !== NO_SLOT && this.#at.get(impression) > at - REPEATED_SECONDS) {
      if (this.#bid.get(impression) === bid) return true;
      impression = this.#older(impression);
    }
    return false;
  }

  /** The counter's impression before one; NO_SLOT where it is forgotten: a newer one has its place. */
  #older(impression: number): number {
    const before = this.#before.get(impression);
    return before !== NO_SLOT && this.#age(before) > this.#age(impression) ? before : NO_SLOT;
  }

  #age(place: number): number {
    return (this.#added - 1 - place) % this.#impressionsMax;
  }

  /** Removes the oldest impression, which is at `place`. */
  #evict(place: number): void {
    if (this.#at.get(place) >= this.#latest - this.#neededSeconds) this.#forgotten += 1;
    const counter = this.#counterOf.get(place);
    if (this.#newest.get(counter) !== place) return;
    this.#newest.set(counter, NO_SLOT);
    this.#freeUnused(counter);
  }

  #freeUnused(counter: number): void {
    if (this.#open.get(counter) > 0 || this.#newest.get(counter) !== NO_SLOT) return;
    this.#tableOf(this.#high.get(counter)).take(
      this.#low.get(counter),
      this.#lowOf,
      (other) => other === counter,
    );
    this.#counters.release(counter);
  }

  #find({ high, low }: Digest): number {
    return this.#tableOf(high).find(low, this.#lowOf, (counter) => this.#high.get(counter) === high);
  }

  #findOrAdd(digest: Digest): number {
    const known = this.#find(digest);
    if (known !== NO_SLOT) return known;
    const counter = this.#counters.take();
    this.#high.set(counter, digest.high);
    this.#low.set(counter, digest.low);
    this.#newest.set(counter, NO_SLOT);
    this.#open.set(counter, 0);
    this.#tableOf(digest.high).add(counter, digest.low, this.#lowOf);
    return counter;
  }

  #tableOf(high: number): SlotTable {
    return this.#tables[high & (TABLES - 1)]!;
  }

  readonly #lowOf = (counter: number): number => this.#low.get(counter);
}
