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
/** Seconds of random reads that their bucket holds: requests at random come in bursts of their own. */
const RANDOM_SECONDS = 3;
/**
 * Part of the random reads that is aimed at: at most this one, and less after each read for which no token was left, since what is read in its
 * place is no longer at random. It rises again with each read.
 */
const AIM_MAX = 0.9;
const AIM_AFTER_NONE = 0.8;
const AIM_STEP = 0.005;
/** Requests whose outlines are read, in multiples of the limit; the others are refused unread. */
const OUTLINES = 10;
const OUTLINES_AIM = 0.95;

/**
 * Chooses the requests that are read where an exchange sends more than its limit of requests per second: those of the highest value, and
 * some at random, from which the values are learned. Reads never exceed the limit: token buckets hold one second's requests. The fewer tokens
 * are left, the smaller is the share of the requests that is read, and the higher their least value. The limit applies to all bidders
 * together; each enforces an equal share.
 *
 * A request that is read by its value stands for itself. Of the others a share is read at random, each with the inverse of the share as its
 * weight: on average the weights sum to the requests that were offered, of every kind. Reads no clock.
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

  /** Whether the body of a request may be read. False for what is more than ten times the limit, whichever requests that are. */
  admits(ssp: Limited, nowMs: number): boolean {
    if (ssp.requestsPerSecond === null) return true;
    const { arrived, outlined, outlines } = this.#of(ssp, nowMs);
    arrived.add(nowMs);
    const chance = (OUTLINES_AIM * outlines.perSecond) / arrived.perSecond;
    if ((chance < 1 && this.#random() >= chance) || !outlines.take()) return false;
    outlined.add(nowMs);
    return true;
  }

  /** For how many requests of an exchange each that was admitted stands. 1 where all were lately. */
  standsFor(ssp: Limited): number {
    const exchange = ssp.requestsPerSecond === null ? undefined : this.#exchanges.get(ssp.slug);
    return exchange ? Math.max(1, exchange.arrived.perSecond / exchange.outlined.perSecond) : 1;
  }

  /** Whether to read a request as a whole, and for how many of the admitted ones it then stands. */
  choose(ssp: Limited, segment: RequestSegment, nowMs: number): Choice {
    if (ssp.requestsPerSecond === null) return READ;
    const exchange = this.#of(ssp, nowMs);
    const { byValue, atRandom, offered, chosen, left, values } = exchange;
    const estimate = values.estimate(segment);
    const micros = values.reads < KNOWN_FROM ? null : estimate;
    const place = placeOf(estimate);
    offered.add(place, nowMs);
    chosen.add(nowMs);
    const limitOfRate = byValue.perSecond / chosen.perSecond;
    const share = shareOf(byValue.fullness, limitOfRate) * byValue.raise;
    const chance = share >= 1 ? 1 : offered.chanceOf(place, share);
    const isChosen = chance > 0 && (chance >= 1 || this.#random() < chance) && byValue.take();
    byValue.passed(isChosen);
    if (isChosen) return { by: limitOfRate >= 1 ? 'all' : 'value', weight: 1, micros };
    left.add(nowMs);
    const weight = exchange.drawn(left.perSecond / atRandom.perSecond, this.#random);
    return { by: weight === 0 ? 'skipped' : 'random', weight, micros };
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

/**
 * The share of the requests to read by value: what the limit is of the rate of the last seconds where the bucket is half full, four times as much
 * where it is full, and ever less below. It settles where reads take what flows in.
 */
const shareOf = (fill: number, limitOfRate: number): number => 4 * fill ** 2 * limitOfRate;

/** A clock that is further behind was set back. */
const CLOCK_BACK_MS = 1000;

/** The requests of an exchange. */
class Exchange {
  readonly byValue = new Bucket();
  readonly atRandom = new Bucket();
  readonly outlines = new Bucket();
  readonly values = new RequestValues();
  readonly offered = new OfferedValues();
  /** Rates of all requests, of the admitted ones, of those to choose from, and of those left by value. */
  readonly arrived = new Rate();
  readonly outlined = new Rate();
  readonly chosen = new Rate();
  readonly left = new Rate();
  /** How far it is to the next request that is read at random, in parts of their distance. */
  #distance = 0;
  #aim = AIM_MAX;
  /** Requests that no request stands for yet. */
  #unrepresented = 0;
  #filledMs: number | null = null;

  /**
   * For how many requests one stands that its value did not choose: 0 where it is skipped. `ofEach`: how many come for each token. The distances
   * between those that are read are random, so that they say nothing of when exchanges send which requests.
   */
  drawn(ofEach: number, random: () => number): number {
    const oneIn = Math.max(1, ofEach / this.#aim);
    this.#distance -= 1 / oneIn;
    if (this.#distance > 0) return 0;
    this.#distance += 0.5 + random();
    this.#unrepresented += oneIn;
    const isRead = this.atRandom.take();
    this.#aim = isRead ? Math.min(AIM_MAX, this.#aim + AIM_STEP) : this.#aim * AIM_AFTER_NONE;
    if (!isRead) return 0;
    const weight = Math.round(this.#unrepresented);
    this.#unrepresented -= weight;
    return weight;
  }

  /** Fills its buckets with what has come since the last time. */
  fill(perSecond: number, nowMs: number): void {
    const passedMs = this.#filledMs === null ? Infinity : nowMs - this.#filledMs;
    // A time that passed twice, because requests come a little out of order, fills nothing twice.
    if (passedMs > 0 || passedMs < -CLOCK_BACK_MS) this.#filledMs = nowMs;
    const anyPerSecond = Math.min(perSecond, Math.max(RANDOM_PER_SECOND, perSecond * RANDOM_SHARE));
    // It holds at least one token, so that a share below one request per second still admits some.
    const anyMost = Math.max(1, Math.min(perSecond / 2, anyPerSecond * RANDOM_SECONDS));
    this.atRandom.fill(anyPerSecond, anyMost, passedMs);
    this.byValue.fill(perSecond - anyPerSecond, Math.max(0, perSecond - anyMost), passedMs);
    this.outlines.fill(perSecond * OUTLINES, Math.max(1, perSecond * OUTLINES), passedMs);
  }
}

/** How often tokens that are lost double the share, at most, and the tokens taken after which it is half of that again. */
const DOUBLINGS_MAX = 20;
const TAKEN_TO_HALVE = 20;

/** A token bucket. */
class Bucket {
  #tokens = 0;
  #size = 0;
  /**
   * How often the share is doubled, because tokens were lost although requests came: they were all of less value than earlier ones, as where
   * a campaign has ended.
   */
  #doublings = 0;
  /** Tokens that were lost since {@link Bucket.passed}. */
  #lost = 0;
  /** Tokens that flow in, a second. */
  perSecond = 0;

  /** Adds the tokens of a time. */
  fill(perSecond: number, size: number, passedMs: number): void {
    this.perSecond = perSecond;
    this.#size = size;
    const added = passedMs === Infinity ? size : (Math.max(0, passedMs) * perSecond) / 1000;
    const tokens = this.#tokens + added;
    this.#tokens = Math.min(size, tokens);
    this.#lost += Math.max(0, tokens - size);
  }

  /** A request came that could take a token. Call it when it has taken one, or not. */
  passed(isTaken: boolean): void {
    // In a pause of more than a token, no request could have taken it.
    if (!isTaken && this.#lost < 1) this.#doublings = Math.min(DOUBLINGS_MAX, this.#doublings + this.#lost);
    this.#lost = 0;
  }

  /** By how much the share is raised. */
  get raise(): number {
    return 2 ** this.#doublings;
  }

  /** Which part of it is full; 0 where a request cannot take a token. */
  get fullness(): number {
    return this.#tokens < 1 ? 0 : this.#tokens / this.#size;
  }

  take(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    this.#doublings = Math.max(0, this.#doublings - 1 / TAKEN_TO_HALVE);
    return true;
  }
}

/** Over how long rates are averaged, seconds. */
const RATE_SECONDS = 10;

/** The rate of the last seconds, of requests that may come in bursts. */
class Rate {
  #count = 0;
  /** At first as if nothing came for a second. */
  #seconds = 1;
  #atMs: number | null = null;

  /** Adds a request. */
  add(nowMs: number): void {
    const passed = this.#atMs === null ? 0 : (nowMs - this.#atMs) / 1000;
    this.#atMs = nowMs;
    if (passed > 0) {
      const kept = Math.exp(-passed / RATE_SECONDS);
      this.#count *= kept;
      this.#seconds = this.#seconds * kept + RATE_SECONDS * (1 - kept);
    }
    this.#count += 1;
  }

  get perSecond(): number {
    return this.#count / this.#seconds;
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
