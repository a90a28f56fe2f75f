import { RequestValues, type RequestSegment } from './request-values.ts';

/** An exchange with its limit, null for none. */
interface Limited {
  slug: string;
  requestsPerSecond: number | null;
}

/** Whether a request is read. */
export interface Choice {
  /** `all`: the exchange is within its limit. */
  by: 'all' | 'value' | 'random' | 'skipped';
  /** The number of requests that it stands for: itself, and those of lesser value that were skipped. 0 for one that is skipped. */
  weight: number;
  /** The expected charge for its bids, in micros; null while that is not known. */
  micros: number | null;
}

/** The choice of a request of an exchange without a limit. */
export const READ: Choice = { by: 'all', weight: 1, micros: null };

/** Fewer reads of an exchange say nothing of values. */
const KNOWN_FROM = 50;

/** Share of the limit, and the least in a second, that is read regardless of value. */
const RANDOM_SHARE = 0.1;
const RANDOM_PER_SECOND = 1;
/** Part of a bucket below which requests are chosen. Above it there is room for bursts. */
const CHOOSY_BELOW = 0.5;
/** Requests whose outlines are read, in multiples of the limit; the others are refused unread. */
const OUTLINES = 10;

/**
 * Chooses the requests that are read where an exchange sends more than its limit of requests per second: those of the highest value, and
 * some at random, from which the values are learned. Reads never exceed the limit: token buckets hold one second's requests. The less they
 * hold, the smaller is the share of the requests that is read, and the higher their least value. So the share needs no measured rate,
 * and no token stays unused while requests are skipped. The limit applies to all bidders together; each enforces an equal share.
 *
 * A request that is read stands for itself, or, if it was read at random, for all that were skipped since the last such one: the weights
 * sum to the requests that were offered. Reads no clock.
 */
export class TrafficShaper {
  readonly #bidders: () => number;
  readonly #random: () => number;
  /** By exchange. Its size is bounded by the number of exchanges. */
  readonly #exchanges = new Map<string, Exchange>();

  /** `bidders` returns the current number of bidders, including this one. */
  constructor({ bidders, random }: { bidders: () => number; random: () => number }) {
    this.#bidders = bidders;
    this.#random = random;
  }

  /** Whether the body of a request may be read. False for what is more than ten times the limit. */
  admits(ssp: Limited, nowMs: number): boolean {
    return ssp.requestsPerSecond === null || this.#of(ssp, nowMs).outlines.take();
  }

  /** Whether to read a request as a whole, and for how many it then stands. */
  choose(ssp: Limited, segment: RequestSegment, nowMs: number): Choice {
    if (ssp.requestsPerSecond === null) return READ;
    const exchange = this.#of(ssp, nowMs);
    const { byValue, atRandom, offered, values } = exchange;
    const estimate = values.estimate(segment);
    const micros = values.reads < KNOWN_FROM ? null : estimate;
    const place = placeOf(estimate);
    offered.add(place, nowMs);
    const share = byValue.share();
    const chance = share === 1 ? 1 : offered.chanceOf(place, share);
    if (chance > 0 && (chance >= 1 || this.#random() < chance) && byValue.take())
      return { by: share === 1 ? 'all' : 'value', weight: 1, micros };
    exchange.skipped += 1;
    const chanceOfAny = atRandom.share();
    if ((chanceOfAny < 1 && this.#random() >= chanceOfAny) || !atRandom.take())
      return { by: 'skipped', weight: 0, micros };
    const weight = exchange.skipped;
    exchange.skipped = 0;
    return { by: 'random', weight, micros };
  }

  /** Learns the expected charge for the bids on a request that was read, in micros. */
  learn(
    { slug }: Limited,
    segment: RequestSegment,
    { weight }: Choice,
    valueMicros: number,
    nowMs: number,
  ): void {
    this.#exchanges.get(slug)?.values.learn(segment, valueMicros, weight, nowMs);
  }

  #of({ slug, requestsPerSecond }: Limited, nowMs: number): Exchange {
    let exchange = this.#exchanges.get(slug);
    if (!exchange) this.#exchanges.set(slug, (exchange = new Exchange()));
    exchange.fill(requestsPerSecond! / Math.max(1, this.#bidders()), nowMs);
    return exchange;
  }
}

/** A clock that is further behind was set back. */
const CLOCK_BACK_MS = 10_000;

/** The requests of an exchange. */
class Exchange {
  readonly byValue = new Bucket();
  readonly atRandom = new Bucket();
  readonly outlines = new Bucket();
  readonly values = new RequestValues();
  readonly offered = new OfferedValues();
  /** Requests that no request stands for yet. */
  skipped = 0;
  #filledMs: number | null = null;

  /** Fills its buckets with what has come since the last time. */
  fill(perSecond: number, nowMs: number): void {
    const passedMs = this.#filledMs === null ? Infinity : nowMs - this.#filledMs;
    // A time that passed twice, because requests come a little out of order, fills nothing twice.
    if (passedMs > 0 || passedMs < -CLOCK_BACK_MS) this.#filledMs = nowMs;
    const anyPerSecond = Math.min(perSecond, Math.max(RANDOM_PER_SECOND, perSecond * RANDOM_SHARE));
    this.byValue.fill(perSecond - anyPerSecond, perSecond - anyPerSecond, passedMs);
    // It holds at least one token, so that a share below one request per second still admits some.
    this.atRandom.fill(anyPerSecond, Math.max(1, anyPerSecond), passedMs);
    this.outlines.fill(perSecond * OUTLINES, Math.max(1, perSecond * OUTLINES), passedMs);
  }
}

/** A token bucket. */
class Bucket {
  #tokens = 0;
  #size = 0;

  /** Adds the tokens of a time. */
  fill(perSecond: number, size: number, passedMs: number): void {
    this.#size = size;
    const added = passedMs === Infinity ? size : (Math.max(0, passedMs) * perSecond) / 1000;
    this.#tokens = Math.min(size, this.#tokens + added);
  }

  /** The share of the requests to read: all while it is at least half full, then ever fewer. */
  share(): number {
    return this.#tokens < 1 ? 0 : Math.min(1, this.#tokens / (this.#size * CHOOSY_BELOW));
  }

  take(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

/** Values are counted in logarithmic steps, eight for each doubling, from a hundredth of a micro on. */
const VALUE_PLACES = 256;
const LEAST_MICROS = 0.01;
const PLACES_PER_DOUBLING = 8;

function placeOf(valueMicros: number): number {
  if (valueMicros < LEAST_MICROS) return 0;
  const step = Math.floor(Math.log2(valueMicros / LEAST_MICROS) * PLACES_PER_DOUBLING);
  return Math.min(VALUE_PLACES - 1, 1 + step);
}

const OFFERED_HALF_LIFE_MS = 10_000;
const SCALE_MAX = 2 ** 20;
/** How often the shares are computed: after this number of requests, or this time. */
const SHARES_EVERY = 64;
const SHARES_EVERY_MS = 100;

/** The distribution of the values of the requests offered lately. */
class OfferedValues {
  readonly #counts = new Float64Array(VALUE_PLACES);
  /** The share of the requests of a higher value, and of this one. */
  readonly #above = new Float64Array(VALUE_PLACES);
  readonly #at = new Float64Array(VALUE_PLACES);
  /** What a request of this moment weighs, relative to one of `#sinceMs`. */
  #scale = 1;
  #sinceMs = -Infinity;
  #sharedMs = -Infinity;
  #added = 0;

  add(place: number, nowMs: number): void {
    this.#age(nowMs);
    this.#counts[place]! += this.#scale;
    this.#added += 1;
    const passedMs = Math.abs(nowMs - this.#sharedMs);
    if (this.#added >= SHARES_EVERY || passedMs >= SHARES_EVERY_MS) this.#setShares(nowMs);
  }

  /** The chance of a request of a value to be read, where a share of all is read, the highest values first. */
  chanceOf(place: number, share: number): number {
    const left = share - this.#above[place]!;
    if (left <= 0) return 0;
    return left >= this.#at[place]! ? 1 : left / this.#at[place]!;
  }

  #setShares(nowMs: number): void {
    this.#added = 0;
    this.#sharedMs = nowMs;
    let all = 0;
    for (const count of this.#counts) all += count;
    let above = 0;
    for (let place = VALUE_PLACES - 1; place >= 0; place -= 1) {
      this.#above[place] = above;
      this.#at[place] = this.#counts[place]! / all;
      above += this.#at[place]!;
    }
  }

  #age(nowMs: number): void {
    const scale = 2 ** ((nowMs - this.#sinceMs) / OFFERED_HALF_LIFE_MS);
    if (scale >= 1 && scale < SCALE_MAX) {
      this.#scale = scale;
      return;
    }
    // Also where the clock was set back.
    const factor = scale >= 1 ? 1 / scale : 1 / this.#scale;
    for (let place = 0; place < VALUE_PLACES; place += 1) this.#counts[place]! *= factor;
    this.#scale = 1;
    this.#sinceMs = nowMs;
  }
}
