import { DigestSet, type UuidWords, digestOf, wordsOf } from '../event-store/digest-set.ts';
import type { Micros } from '@bidwell/contract/lib/money';
import type { StoredCharge } from '../event-store/event-store.ts';

/** Events of bids older than this are looked up in ClickHouse. */
export const WINDOW_MS = 2 * 3_600_000;
/** Length of a bucket: bids made within it share a set, which is dropped whole. */
export const BUCKET_MS = 10 * 60_000;
/** Most pairs of all windows of a process in memory: about 130 MB. */
export const PAIRS_MAX = 12_000_000;
/** Most pairs of older bids that are remembered, and their share of all, so that repeated notices need no look-up. */
const LATE_PAIRS_MAX = 100_000;
const LATE_SHARE = 0.01;
/** Most named prices that are remembered, by the number of pairs: 120,000 of all windows, about 30 MB. */
const PRICES_SHARE = 0.01;

/** Unix ms at which a UUIDv7 was made (RFC 9562, section 5.7). */
export function uuidTimeMs(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

const startOfBucket = (atMs: number): number => Math.floor(atMs / BUCKET_MS) * BUCKET_MS;

/**
 * Deduplication window: the (bid, kind) pairs of the last two hours' bids, as 64-bit digests. That a pair was seen is
 * exact except for collisions: with ten million pairs, one new pair in 10^12. That a pair was not seen is certain for
 * bids that the window {@link covers}. Memory is bounded: a full window evicts its oldest bids.
 */
export class DeduplicationWindow {
  /** Prices that exchanges named for recent bids. */
  readonly prices: RecentPrices;
  #pairsMax: number;
  readonly #buckets = new Map<number, DigestSet>();
  /** Pairs of bids older than the window, in two generations. */
  #late = new DigestSet();
  #lateBefore = new DigestSet();
  #size = 0;
  /** The start of a bucket; bids before it are late. */
  #floorMs: number;
  #coveredFromMs = Infinity;
  /** Expected pairs of a bucket while the window is filled. */
  #expected = 0;

  constructor(nowMs: number, pairsMax = PAIRS_MAX) {
    this.#floorMs = startOfBucket(nowMs - WINDOW_MS);
    this.#pairsMax = pairsMax;
    this.prices = new RecentPrices(pairsMax * PRICES_SHARE);
  }

  /** Number of pairs in the window. */
  get size(): number {
    return this.#size;
  }

  /** Bytes of its tables. */
  get bytes(): number {
    let bytes = this.#late.bytes + this.#lateBefore.bytes;
    for (const bucket of this.#buckets.values()) bytes += bucket.bytes;
    return bytes;
  }

  /** Unix ms of the start of the window. */
  get floorMs(): number {
    return this.#floorMs;
  }

  /** Whether all stored pairs of this bid are in the window. */
  covers(bidId: string): boolean {
    return uuidTimeMs(bidId) >= this.#coveredFromMs;
  }

  /** Marks the bids since `fromMs` as covered, after all of their stored pairs were added. */
  coverFrom(fromMs: number): void {
    this.#coveredFromMs = Math.max(this.#floorMs, Math.min(this.#coveredFromMs, fromMs));
    this.#expected = 0;
  }

  /** Changes how many pairs it holds; a smaller number evicts its oldest bids. */
  limit(pairsMax: number): void {
    this.#pairsMax = pairsMax;
    this.prices.limit(pairsMax * PRICES_SHARE);
    this.#shrink();
  }

  /** Sets the number of stored pairs that are about to be added, for the size of the tables. */
  expect(pairs: number): void {
    this.#expected = Math.floor((Math.min(pairs, this.#pairsMax) * BUCKET_MS) / WINDOW_MS);
  }

  /** Adds a pair; false when it was seen before. `kindIndex` is 0 to 63. */
  add(bidId: string, kindIndex: number): boolean {
    return this.addWords(wordsOf(bidId), kindIndex);
  }

  /** As {@link add}, for a parsed id. */
  addWords(words: UuidWords, kindIndex: number): boolean {
    const bidMs = (words[0] >>> 0) * 65_536 + (words[1] >>> 16);
    const digest = digestOf(words, kindIndex);
    if (bidMs < this.#floorMs) return this.#addLate(digest);
    const bucketMs = startOfBucket(bidMs);
    let bucket = this.#buckets.get(bucketMs);
    if (!bucket) this.#buckets.set(bucketMs, (bucket = new DigestSet(this.#expected)));
    if (!bucket.add(digest)) return false;
    this.#size += 1;
    this.#shrink();
    return true;
  }

  has(bidId: string, kindIndex: number): boolean {
    const bidMs = uuidTimeMs(bidId);
    const digest = digestOf(wordsOf(bidId), kindIndex);
    if (bidMs < this.#floorMs) return this.#late.has(digest) || this.#lateBefore.has(digest);
    return this.#buckets.get(startOfBucket(bidMs))?.has(digest) ?? false;
  }

  /** Removes a pair, so that it may be added again. */
  remove(bidId: string, kindIndex: number): void {
    const digest = digestOf(wordsOf(bidId), kindIndex);
    const bucket = this.#buckets.get(startOfBucket(uuidTimeMs(bidId)));
    if (bucket) {
      const before = bucket.size;
      bucket.delete(digest);
      this.#size += bucket.size - before;
    }
    this.#late.delete(digest);
    this.#lateBefore.delete(digest);
  }

  /** Evicts the bids that are older than the window by now. */
  expire(nowMs: number): void {
    this.#raiseFloor(startOfBucket(nowMs - WINDOW_MS));
  }

  #addLate(digest: ReturnType<typeof digestOf>): boolean {
    if (this.#lateBefore.has(digest) || !this.#late.add(digest)) return false;
    if (this.#late.size >= Math.min(LATE_PAIRS_MAX, this.#pairsMax * LATE_SHARE)) {
      this.#lateBefore = this.#late;
      this.#late = new DigestSet();
    }
    return true;
  }

  #shrink(): void {
    while (this.#size > this.#pairsMax) this.#raiseFloor(this.#oldestBucketMs() + BUCKET_MS);
  }

  #oldestBucketMs(): number {
    let oldestMs = Infinity;
    for (const bucketMs of this.#buckets.keys()) oldestMs = Math.min(oldestMs, bucketMs);
    return oldestMs;
  }

  #raiseFloor(floorMs: number): void {
    if (floorMs <= this.#floorMs) return;
    this.#floorMs = floorMs;
    this.#coveredFromMs = Math.max(this.#coveredFromMs, floorMs);
    for (const [bucketMs, bucket] of this.#buckets) {
      if (bucketMs >= floorMs) continue;
      this.#size -= bucket.size;
      this.#buckets.delete(bucketMs);
    }
  }
}

/** A price that the exchange's server named for a bid, and the charge of the bid since then. */
interface RecentPrice {
  namedCpmMicros: Micros;
  charge: StoredCharge | null;
}

/**
 * The named prices of recent bids, so that most of them need no look-up. Bounded: the oldest are evicted first.
 */
class RecentPrices {
  #max: number;
  readonly #prices = new Map<string, RecentPrice>();

  constructor(max: number) {
    this.#max = max;
  }

  get(bidId: string): RecentPrice | undefined {
    return this.#prices.get(bidId);
  }

  /** Adds a named price. If a bid has several, the highest counts. */
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
