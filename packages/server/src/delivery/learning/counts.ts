import type { Micros } from '@bidwell/contract/lib/money';
import type { BidRef, DeliveryEvent } from '../model/event.ts';
import { formatKeyOf } from '../model/candidate.ts';
import type { Features } from './rate-model.ts';
import { type PricePoint, priceStepOf } from './win-rates.ts';

/** Counts of a creative in an ad set, publisher's app and country: the input for learning rates. */
export interface History extends Features {
  creativeId: string;
  impressions: number;
  clicks: number;
  /** Counted installs minus installs that the partner rejected later; may be negative. */
  installs: number;
}

/** The same with the media cost of the bids that were charged. */
export interface RateCounts extends History {
  /** Charged impressions. */
  charges: number;
  mediaMicros: Micros;
}

/** Numbers of bids placed and won at one price: the input for learning win rates. */
export interface PriceCounts extends PricePoint {
  placed: number;
  won: number;
}

/** Sums of events and bids, of any number of processes. */
export interface LearningCounts {
  rates: readonly RateCounts[];
  prices: readonly PriceCounts[];
}

/**
 * Adds up the input for learning from events and bids. The sums do not depend on the order or the grouping of the
 * additions. Leaves out tests, invalid traffic and implausible installs, and all but the prices of
 * re-engagement campaigns.
 */
export class LearningSums {
  #rates = new Map<string, RateCounts>();
  #prices = new Map<string, PriceCounts>();

  /** Number of sums. */
  get size(): number {
    return this.#rates.size + this.#prices.size;
  }

  /** Adds a counted event. */
  addEvent(event: DeliveryEvent): void {
    const { kind, ref, spendMicros, marginMicros = 0, mark, untrained } = event;
    if (ref.test || mark !== '') return;
    this.#addMinToWin(event);
    const isCharged = spendMicros > 0;
    const install = untrained ? 0 : kind === 'install' ? 1 : kind === 'install_rejected' ? -1 : 0;
    const isImpression = kind === 'impression';
    const isClick = kind === 'click';
    if (isCharged) this.#pricesOf(pricePointOf(ref)).won += 1;
    // A campaign that buys no installs says nothing about them.
    if (ref.reEngagement || (!isCharged && !isImpression && !isClick && install === 0)) return;
    const sums = this.#ratesOf(ref, formatOf(ref));
    if (isImpression) sums.impressions += 1;
    if (isClick) sums.clicks += 1;
    sums.installs += install;
    if (!isCharged) return;
    sums.charges += 1;
    sums.mediaMicros += spendMicros - marginMicros;
  }

  /**
   * Adds what a notice says about other prices of its auction. A won bid would have lost below the lowest price that wins, and a lost
   * one would have won at it. At most one notice of a won bid names that price, and so does its loss notice.
   */
  #addMinToWin({ kind, ref, minToWinCpmMicros }: DeliveryEvent): void {
    if (minToWinCpmMicros === undefined) return;
    const point = pricePointOf(ref);
    const step = priceStepOf(minToWinCpmMicros);
    if (kind === 'loss' && step > point.step) {
      const sums = this.#pricesOf({ ...point, step });
      sums.placed += 1;
      sums.won += 1;
    } else if (kind !== 'loss' && step > 0) this.#pricesOf({ ...point, step: step - 1 }).placed += 1;
  }

  /** Adds a sent bid. Whether it won is known by its events. */
  addBid(ref: BidRef): void {
    if (!ref.test) this.#pricesOf(pricePointOf(ref)).placed += 1;
  }

  /** Adds other sums, as far as at most `sizeMax` result. Returns how many were left out. */
  merge({ rates, prices }: LearningCounts, sizeMax = Infinity): number {
    let leftOut = 0;
    for (const from of rates) {
      if (this.size >= sizeMax && !this.#rates.has(rateKeyOf(from, from.format))) leftOut += 1;
      else {
        const to = this.#ratesOf(from, from.format);
        to.impressions += from.impressions;
        to.clicks += from.clicks;
        to.installs += from.installs;
        to.charges += from.charges;
        to.mediaMicros += from.mediaMicros;
      }
    }
    for (const from of prices) {
      if (this.size >= sizeMax && !this.#prices.has(priceKeyOf(from))) leftOut += 1;
      else {
        const to = this.#pricesOf(from);
        to.placed += from.placed;
        to.won += from.won;
      }
    }
    return leftOut;
  }

  /** Removes and returns up to `max` sums, the oldest first. */
  take(max = Infinity): LearningCounts {
    if (this.size > max) {
      const prices = takeFirst(this.#prices, max);
      return { prices, rates: takeFirst(this.#rates, max - prices.length) };
    }
    const counts = { rates: [...this.#rates.values()], prices: [...this.#prices.values()] };
    this.#rates = new Map();
    this.#prices = new Map();
    return counts;
  }

  #ratesOf(of: Omit<Features, 'format'> & { creativeId: string }, format: string): RateCounts {
    const key = rateKeyOf(of, format);
    let sums = this.#rates.get(key);
    if (!sums) {
      const { companyId, adsetId, creativeId, bundle, country } = of;
      sums = {
        companyId,
        adsetId,
        creativeId,
        format,
        bundle,
        country,
        impressions: 0,
        clicks: 0,
        installs: 0,
        charges: 0,
        mediaMicros: 0,
      };
      this.#rates.set(key, sums);
    }
    return sums;
  }

  #pricesOf(point: PricePoint): PriceCounts {
    const key = priceKeyOf(point);
    let sums = this.#prices.get(key);
    if (!sums) {
      const { exchange, format, country, step } = point;
      this.#prices.set(key, (sums = { exchange, format, country, step, placed: 0, won: 0 }));
    }
    return sums;
  }
}

function takeFirst<Sum>(sums: Map<string, Sum>, max: number): Sum[] {
  const taken: Sum[] = [];
  for (const [key, sum] of sums) {
    if (taken.length >= max) break;
    taken.push(sum);
    sums.delete(key);
  }
  return taken;
}

/** An ad set belongs to one company, so the company is not part of the key. */
function rateKeyOf(
  {
    adsetId,
    creativeId,
    country,
    bundle,
  }: Pick<Features, 'adsetId' | 'country' | 'bundle'> & { creativeId: string },
  format: string,
): string {
  return `${adsetId} ${creativeId} ${country} ${format} ${bundle}`;
}

/** The same for the same market and price step, and for no others. */
export function priceKeyOf({ exchange, format, country, step }: PricePoint): string {
  return `${exchange} ${country} ${step} ${format}`;
}

/** The market and the price step of a bid. */
export function pricePointOf(ref: BidRef): PricePoint {
  const { exchange, country, bidCpmMicros } = ref;
  return { exchange, country, format: formatOf(ref), step: priceStepOf(bidCpmMicros) };
}

function formatOf({ creativeType: type, width, height }: BidRef): string {
  return formatKeyOf({ type, width, height });
}
