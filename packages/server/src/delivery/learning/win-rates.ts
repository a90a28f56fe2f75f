import type { Micros } from '@bidwell/contract/lib/money';

/** Prices are counted in logarithmic steps of 10 %, starting at a CPM of one cent. */
export const STEP = 1.1;
export const LOWEST_CPM_MICROS = 10_000;
export const STEPS = 100;
/** Weight of the prior, in bids. */
const PRIOR_BIDS = 20;
/** Prior win rate of a bid that is this share of the value. */
const priorChance = (share: number): number => Math.min(1, 0.2 + 0.7 * share);
/** Share of bids sent at a random price instead of the best known one, for exploration. */
const EXPLORING_SHARE = 0.05;

interface Landscape {
  placed: Float64Array;
  won: Float64Array;
}

/** Properties of an imp by which win rates are learned. */
interface Market {
  exchange: string;
  format: string;
  country: string;
}

/** An imp with its floor. */
export interface Offer extends Market {
  floorCpmMicros: Micros;
}

/** A price, in steps; see {@link priceStepOf}. */
export interface PricePoint extends Market {
  step: number;
}

/**
 * Estimates win rates by price from bids placed and won, and shades bids accordingly: the best price maximises the
 * expected surplus (value minus price) times the win rate. A bid that won would also have won at any higher price; a
 * bid that lost would also have lost at any lower one. Loss notices are not needed: a bid that is not won counts as lost.
 */
export class WinRates {
  readonly #landscapes = new Map<string, Landscape>();

  /** Adds bids that were placed and won at one price. */
  add(counts: PricePoint & { placed: number; won: number }): void {
    const { placed, won } = this.#landscapeOf(counts);
    placed[counts.step]! += counts.placed;
    won[counts.step]! += counts.won;
  }

  /** Price to bid in a first-price auction: at most `valueCpmMicros`, the value, and not below the floor. */
  shadedCpmMicros(offer: Offer, valueCpmMicros: Micros, random: () => number): Micros {
    const lowest = Math.max(offer.floorCpmMicros, LOWEST_CPM_MICROS);
    if (valueCpmMicros <= lowest) return valueCpmMicros;
    if (random() < EXPLORING_SHARE) return Math.round(lowest + random() * (valueCpmMicros - lowest));
    const landscape = this.#landscapes.get(keyOf(offer));
    const first = priceStepOf(lowest);
    const last = priceStepOf(valueCpmMicros);
    let lostAbove = landscape ? sumLost(landscape, first) : 0;
    let wonBelow = landscape ? sumWon(landscape, first) : 0;
    let best = valueCpmMicros;
    let bestSurplus = 0;
    for (let step = first; step <= last; step += 1) {
      if (landscape) wonBelow += landscape.won[step]!;
      const price = Math.min(valueCpmMicros, Math.max(lowest, PRICES[step]!));
      const known = wonBelow + lostAbove;
      const chance = (wonBelow + PRIOR_BIDS * priorChance(price / valueCpmMicros)) / (known + PRIOR_BIDS);
      const surplus = (valueCpmMicros - price) * chance;
      if (surplus > bestSurplus) {
        best = price;
        bestSurplus = surplus;
      }
      if (landscape) lostAbove -= lostAt(landscape, step);
    }
    return Math.round(best);
  }

  /** The chance of a bid at a price to win. `shareOfValue`: its price relative to the value, which decides while there are few bids. */
  chanceOf(point: PricePoint, shareOfValue: number): number {
    const landscape = this.#landscapes.get(keyOf(point));
    const won = landscape ? sumWon(landscape, point.step + 1) : 0;
    const lost = landscape ? sumLost(landscape, point.step) : 0;
    return (won + PRIOR_BIDS * priorChance(shareOfValue)) / (won + lost + PRIOR_BIDS);
  }

  /** Decays all counts: multiplies them by `share`. */
  decay(share: number): void {
    for (const { placed, won } of this.#landscapes.values()) {
      for (let step = 0; step < STEPS; step += 1) {
        placed[step]! *= share;
        won[step]! *= share;
      }
    }
  }

  #landscapeOf(market: Market): Landscape {
    const key = keyOf(market);
    let landscape = this.#landscapes.get(key);
    if (!landscape) {
      landscape = { placed: new Float64Array(STEPS), won: new Float64Array(STEPS) };
      this.#landscapes.set(key, landscape);
    }
    return landscape;
  }
}

function keyOf({ exchange, format, country }: Market): string {
  return `${exchange} ${format} ${country}`;
}

/** Step of the scale of prices, from 0 to 99. The scale is part of the messages between processes. */
export function priceStepOf(cpmMicros: Micros): number {
  const step = Math.floor(Math.log(Math.max(1, cpmMicros / LOWEST_CPM_MICROS)) / Math.log(STEP));
  return Math.min(STEPS - 1, step);
}

/** Highest price of each step. */
const PRICES = Float64Array.from(
  { length: STEPS },
  (_, step): Micros => LOWEST_CPM_MICROS * STEP ** (step + 1) - 1,
);

function lostAt({ placed, won }: Landscape, step: number): number {
  return Math.max(0, placed[step]! - won[step]!);
}

function sumLost(landscape: Landscape, from: number): number {
  let sum = 0;
  for (let step = from; step < STEPS; step += 1) sum += lostAt(landscape, step);
  return sum;
}

function sumWon({ won }: Landscape, below: number): number {
  let sum = 0;
  for (let step = 0; step < below; step += 1) sum += won[step]!;
  return sum;
}
