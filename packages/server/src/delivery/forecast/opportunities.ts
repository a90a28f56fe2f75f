import type { MarketKey } from './market-fits.ts';

/**
 * Imps of the sample on which an ad set could bid, one column for each property. An imp that several of its formats fit is
 * divided among them.
 */
export interface Opportunities {
  size: number;
  /** Index in `markets`. */
  market: Uint32Array;
  /** Number of requests that it stands for. */
  weight: Float64Array;
  floorCpmMicros: Float64Array;
  /** The CPM bid for its publisher or country, where the ad set has one; 0 otherwise. */
  ownCpmMicros: Float64Array;
  /** The factor of the ad set's multipliers. */
  factor: Float64Array;
  installRate: Float64Array;
  /** See `InstallMicrosOf`. */
  installMicros: Float64Array;
  /** The highest value among the rivals, micros per thousand, and the share of the time in which it bids. */
  rivalCpmMicros: Float64Array;
  rivalShare: Float64Array;
  markets: (MarketKey & { isSecondPrice: boolean })[];
}

const SIZE = 1024;

/** None yet. */
export function noOpportunities(): Opportunities {
  const column = (): Float64Array => new Float64Array(SIZE);
  return {
    size: 0,
    market: new Uint32Array(SIZE),
    weight: column(),
    floorCpmMicros: column(),
    ownCpmMicros: column(),
    factor: column(),
    installRate: column(),
    installMicros: column(),
    rivalCpmMicros: column(),
    rivalShare: column(),
    markets: [],
  };
}

/** Doubles the room of all columns. */
export function grow(found: Opportunities): void {
  const doubled = (column: Float64Array): Float64Array => {
    const larger = new Float64Array(2 * column.length);
    larger.set(column);
    return larger;
  };
  const market = new Uint32Array(2 * found.market.length);
  market.set(found.market);
  found.market = market;
  found.weight = doubled(found.weight);
  found.floorCpmMicros = doubled(found.floorCpmMicros);
  found.ownCpmMicros = doubled(found.ownCpmMicros);
  found.factor = doubled(found.factor);
  found.installRate = doubled(found.installRate);
  found.installMicros = doubled(found.installMicros);
  found.rivalCpmMicros = doubled(found.rivalCpmMicros);
  found.rivalShare = doubled(found.rivalShare);
}

/** Every n-th opportunity, so that at most `most` remain; each stands for n. */
export function thinned(found: Opportunities, most: number): Opportunities {
  const every = Math.ceil(found.size / most);
  if (every <= 1) return found;
  const size = Math.floor(found.size / every);
  const pick = (column: Float64Array): Float64Array =>
    Float64Array.from({ length: size }, (_unused, at) => column[at * every]!);
  return {
    size,
    market: Uint32Array.from({ length: size }, (_unused, at) => found.market[at * every]!),
    weight: pick(found.weight).map((weight) => (weight * found.size) / size),
    floorCpmMicros: pick(found.floorCpmMicros),
    ownCpmMicros: pick(found.ownCpmMicros),
    factor: pick(found.factor),
    installRate: pick(found.installRate),
    installMicros: pick(found.installMicros),
    rivalCpmMicros: pick(found.rivalCpmMicros),
    rivalShare: pick(found.rivalShare),
    markets: found.markets,
  };
}
