import type { Micros } from '@bidwell/contract/money';

/** Prices are counted in steps of a tenth, from one cent a thousand. */
const STEP = 1.1;
const LOWEST_CPM_MICROS = 10_000;
const STEPS = 100;
/** So many bids is the belief worth that is held before any. */
const BELIEF_BIDS = 20;
/** The believed chance to win with a price that is this share of what the impression is worth. */
const believedChance = (share: number): number => Math.min(1, 0.2 + 0.7 * share);
/** Bids of so many are sent at another price than the best known, to learn what that wins. */
const EXPLORING_SHARE = 0.05;

interface Landscape {
  placed: Float64Array;
  won: Float64Array;
}

/** What a bid was for, as far as its competition depends on it. */
export interface Offer {
  exchange: string;
  format: string;
  country: string;
  floorCpmMicros: Micros;
}

/**
 * What prices win at an exchange, learned from the bids placed and won there, and the price to bid for it: the one where the
 * surplus, what the impression is worth less the price, times the chance to win is greatest. A bid that won says that any
 * higher one would have, a bid that lost that no lower one would. Loss notices are not needed: what is not won is lost.
 */
export class WinRates {
  readonly #landscapes = new Map<string, Landscape>();

  placed(offer: Omit<Offer, 'floorCpmMicros'>, cpmMicros: Micros): void {
    this.#landscapeOf(offer).placed[stepOf(cpmMicros)]! += 1;
  }

  won(offer: Omit<Offer, 'floorCpmMicros'>, cpmMicros: Micros): void {
    this.#landscapeOf(offer).won[stepOf(cpmMicros)]! += 1;
  }

  /** The price to bid in a first-price auction for an impression worth `worthCpmMicros`: never above it, nor below the floor. */
  shadedCpmMicros(offer: Offer, worthCpmMicros: Micros, random: () => number): Micros {
    const lowest = Math.max(offer.floorCpmMicros, LOWEST_CPM_MICROS);
    if (worthCpmMicros <= lowest) return worthCpmMicros;
    if (random() < EXPLORING_SHARE) return Math.round(lowest + random() * (worthCpmMicros - lowest));
    const landscape = this.#landscapes.get(keyOf(offer));
    const first = stepOf(lowest);
    const last = stepOf(worthCpmMicros);
    let lostAbove = landscape ? sumLost(landscape, first) : 0;
    let wonBelow = landscape ? sumWon(landscape, first) : 0;
    let best = worthCpmMicros;
    let bestSurplus = 0;
    for (let step = first; step <= last; step += 1) {
      if (landscape) wonBelow += landscape.won[step]!;
      const price = Math.min(worthCpmMicros, Math.max(lowest, priceOf(step)));
      const known = wonBelow + lostAbove;
      const chance =
        (wonBelow + BELIEF_BIDS * believedChance(price / worthCpmMicros)) / (known + BELIEF_BIDS);
      const surplus = (worthCpmMicros - price) * chance;
      if (surplus > bestSurplus) {
        best = price;
        bestSurplus = surplus;
      }
      if (landscape) lostAbove -= lostAt(landscape, step);
    }
    return Math.round(best);
  }

  /** Lets what is past weigh less. */
  fade(share: number): void {
    for (const { placed, won } of this.#landscapes.values()) {
      for (let step = 0; step < STEPS; step += 1) {
        placed[step]! *= share;
        won[step]! *= share;
      }
    }
  }

  #landscapeOf(offer: Omit<Offer, 'floorCpmMicros'>): Landscape {
    const key = keyOf(offer);
    let landscape = this.#landscapes.get(key);
    if (!landscape) {
      landscape = { placed: new Float64Array(STEPS), won: new Float64Array(STEPS) };
      this.#landscapes.set(key, landscape);
    }
    return landscape;
  }
}

function keyOf({ exchange, format, country }: Omit<Offer, 'floorCpmMicros'>): string {
  return `${exchange} ${format} ${country}`;
}

function stepOf(cpmMicros: Micros): number {
  const step = Math.floor(Math.log(Math.max(1, cpmMicros / LOWEST_CPM_MICROS)) / Math.log(STEP));
  return Math.min(STEPS - 1, step);
}

/** The highest price of a step. */
function priceOf(step: number): Micros {
  return LOWEST_CPM_MICROS * STEP ** (step + 1) - 1;
}

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
