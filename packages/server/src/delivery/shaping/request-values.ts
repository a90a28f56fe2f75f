import type { ParsedDevice } from '../model/bid-request.ts';

/** The formats of a request's imps, such as `banner 320x50 + native`. */
export interface RequestFormat {
  label: string;
  /** A hash of the label. */
  hash: number;
}

/** What is known of a bid request before it is read as a whole, by which its value is estimated. */
export interface RequestSegment {
  /** ISO 3166-1 alpha-2, and the system; '' where they are not known. */
  country: string;
  os: ParsedDevice['os'];
  format: RequestFormat;
  /** The lowest floor of its imps, in steps. */
  floorStep: number;
  /** A hash of the publisher's bundle; 0 where it is not known. */
  bundle: number;
}

/** A request of which nothing is known. */
export const UNKNOWN_SEGMENT: RequestSegment = {
  country: '',
  os: '',
  format: { label: '', hash: 0 },
  floorStep: 0,
  bundle: 0,
};

/** Segments in memory of an exchange: 16 bytes each, 1 MiB in all. */
const SEGMENTS_MAX = 2 ** 16;
/** A segment is in one of these places; where all are taken, it replaces the one with the fewest reads. */
const PLACES = 4;
const HALF_LIFE_MS = 3_600_000;
/** Counts grow by this factor between two passes over all of them. */
const SCALE_MAX = 2 ** 12;
/** Reads of a segment that count at most, so that it follows a change of the ad sets within as many reads. */
const READS_MAX = 500;
/** Weights of the coarser segment's value, in reads: of country and system, of the formats, of the floor, and of the bundle. */
const COARSER_READS = [10, 5, 5, 5] as const;
const LEVELS = 5;
/** Weight of a bundle that is worth as much as others, in reads of the mean value, and how much it can differ. */
const BUNDLE_READS = 3;
const BUNDLE_FACTOR_MAX = 20;

const SYSTEMS: Record<ParsedDevice['os'], number> = { '': 0, android: 1, ios: 2 };

/**
 * The values of an exchange's requests, learned from those that were read: the expected charge of their bids. A request belongs to five
 * segments, each part of the one before: the exchange; country and system; the formats; the step of the floor; the publisher's bundle. The
 * fewer reads a segment has, the more its value is that of the coarser segment; for the finest one this is multiplied by how much more than
 * expected the requests of the bundle were worth, in any country and format. Counts have a half-life of an hour, and those of a
 * segment are at most {@link READS_MAX} reads. Bounded in size, by {@link SEGMENTS_MAX}.
 */
export class RequestValues {
  readonly #tags = new Uint32Array(SEGMENTS_MAX);
  /** Reads, the requests that they stand for, and the sums of their values. */
  readonly #reads = new Float32Array(SEGMENTS_MAX);
  readonly #weights = new Float32Array(SEGMENTS_MAX);
  readonly #sums = new Float32Array(SEGMENTS_MAX);
  /** The keys of a request's segments, and of its bundle. */
  readonly #keys = new Uint32Array(LEVELS + 1);
  /** What a count of this moment weighs, relative to one of `#sinceMs`. */
  #scale = 1;
  #sinceMs: number | null = null;

  /** The expected charge for the bids on a request, in micros. */
  estimate(segment: RequestSegment): number {
    this.#setKeys(segment);
    return this.#refined(LEVELS - 1, this.#coarse() * this.#bundleFactor());
  }

  /** The value by all but the bundle. */
  #coarse(): number {
    let value = 0;
    for (let level = 0; level < LEVELS - 1; level += 1) value = this.#refined(level, value);
    return value;
  }

  /** The value of the segment of a level, where that of the coarser one is known. */
  #refined(level: number, coarser: number): number {
    const at = this.#find(this.#keys[level]!);
    if (at < 0) return coarser;
    const own = this.#sums[at]! / this.#weights[at]!;
    if (level === 0) return own;
    const reads = this.#reads[at]! / this.#scale;
    return coarser + ((own - coarser) * reads) / (reads + COARSER_READS[level - 1]!);
  }

  /** How much more than by the other properties a request of the bundle is worth. */
  #bundleFactor(): number {
    const at = this.#find(this.#keys[LEVELS]!);
    const exchange = this.#find(EXCHANGE_KEY);
    if (at < 0 || exchange < 0) return 1;
    const usual = (BUNDLE_READS * this.#scale * this.#sums[exchange]!) / this.#weights[exchange]!;
    if (!(usual > 0)) return 1;
    const factor = (this.#sums[at]! + usual) / (this.#weights[at]! + usual);
    return Math.min(BUNDLE_FACTOR_MAX, factor);
  }

  /** Reads of the exchange's requests of the last hours, at most {@link READS_MAX}. */
  get reads(): number {
    const at = this.#find(EXCHANGE_KEY);
    return at < 0 ? 0 : this.#reads[at]! / this.#scale;
  }

  /** Learns the value of a request that was read, and that stands for `weight` requests. */
  learn(segment: RequestSegment, valueMicros: number, weight: number, nowMs: number): void {
    this.#age(nowMs);
    this.#setKeys(segment);
    // Of a bundle the value is compared with what was expected.
    this.#add(this.#keys[LEVELS]!, this.#coarse(), valueMicros);
    for (let level = 0; level < LEVELS; level += 1) {
      // All requests of the finest segment have the same chance of being read.
      const counted = level === LEVELS - 1 ? 1 : weight;
      this.#add(this.#keys[level]!, counted, counted * valueMicros);
    }
  }

  #add(key: number, weight: number, sum: number): void {
    const at = this.#findOrAdd(key);
    this.#reads[at]! += this.#scale;
    this.#weights[at]! += this.#scale * weight;
    this.#sums[at]! += this.#scale * sum;
    const share = (READS_MAX * this.#scale) / this.#reads[at]!;
    if (share < 1) this.#multiply(at, share);
  }

  #setKeys({ country, os, format, floorStep, bundle }: RequestSegment): void {
    const keys = this.#keys;
    const place = country.length === 2 ? country.charCodeAt(0) * 256 + country.charCodeAt(1) : 0;
    keys[0] = EXCHANGE_KEY;
    keys[1] = mixed(EXCHANGE_KEY, place * 4 + SYSTEMS[os]);
    keys[2] = mixed(keys[1], format.hash);
    keys[3] = mixed(keys[2], floorStep);
    keys[4] = mixed(keys[3], bundle);
    keys[LEVELS] = mixed(BUNDLE_KEY, bundle);
  }

  #find(key: number): number {
    const first = firstPlace(key);
    for (let at = first; at < first + PLACES; at += 1) if (this.#tags[at] === key) return at;
    return -1;
  }

  #findOrAdd(key: number): number {
    const first = firstPlace(key);
    let least = first;
    for (let at = first; at < first + PLACES; at += 1) {
      if (this.#tags[at] === key) return at;
      if (this.#reads[at]! < this.#reads[least]!) least = at;
    }
    this.#tags[least] = key;
    this.#multiply(least, 0);
    return least;
  }

  #multiply(at: number, factor: number): void {
    this.#reads[at]! *= factor;
    this.#weights[at]! *= factor;
    this.#sums[at]! *= factor;
  }

  /** Instead of every count, the weight of new ones changes with time. */
  #age(nowMs: number): void {
    this.#sinceMs ??= nowMs;
    this.#scale = 2 ** (Math.max(0, nowMs - this.#sinceMs) / HALF_LIFE_MS);
    if (this.#scale < SCALE_MAX) return;
    for (let at = 0; at < SEGMENTS_MAX; at += 1) {
      this.#multiply(at, 1 / this.#scale);
      if (this.#reads[at]! < READS_MIN) this.#tags[at] = 0;
    }
    this.#scale = 1;
    this.#sinceMs = nowMs;
  }
}

/** A segment with fewer reads is not known. */
const READS_MIN = 1e-6;
const EXCHANGE_KEY = 1;
const BUNDLE_KEY = 0x2545f491;

function firstPlace(key: number): number {
  return ((Math.imul(key, 0x9e3779b1) >>> 0) % (SEGMENTS_MAX / PLACES)) * PLACES;
}

/** Mixes a value into a hash of 32 bits. Never 0. */
function mixed(hash: number, value: number): number {
  let bits = Math.imul(Math.imul(hash, 0x9e3779b1) ^ value, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0 || 1;
}
