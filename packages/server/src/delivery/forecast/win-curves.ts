import type { Micros } from '@bidwell/contract/lib/money';
import type { PriceCounts } from '../learning/counts.ts';
import { STEPS, priceStepOf } from '../learning/win-rates.ts';
import {
  type MarketFit,
  type MarketKey,
  fitMarkets,
  exactStepOf,
  keyOf,
  linked,
  logPriceOf,
  logistic,
} from './market-fits.ts';

/** The share of bids that win in a market, by price. */
export interface WinCurve {
  /** The share of bids at a price that win, 0 to 1; never falls with the price. */
  winRate(cpmMicros: Micros): number;
  /** Standard error of the logit of {@link WinCurve.winRate} at a price. */
  logitError(cpmMicros: Micros): number;
  /** Mean price of a second-price auction won at a bid: micros per thousand impressions, times the share that win. */
  secondPrice(bidCpmMicros: Micros, floorCpmMicros: Micros): number;
}

/** Win curves of all markets. */
export interface WinCurves {
  of(market: MarketKey): WinCurve;
  /** Bids from which the curves are known. */
  readonly bids: number;
}

/** Weight of the logistic curve against the observed share of one price step, in bids. */
const SMOOTHING_BIDS = 40;
/** Error of the share of free auctions, about half the distance between the values that are tried. */
const FREE_ERROR = 0.03;

/**
 * Estimates the share of bids that win by price from bids placed and won, around the fits of {@link fitMarkets}: where bids
 * were placed the observed share counts more the more there were, and isotonic regression keeps the curve from falling.
 * Yields after each round of a fit.
 */
export function* winCurvesOf(counts: readonly PriceCounts[]): Generator<undefined, WinCurves> {
  const fits = yield* fitMarkets(counts);
  const curves = new Map<string, WinCurve>();
  return {
    bids: counts.reduce((sum, { placed }) => sum + placed, 0),
    of(market) {
      const key = keyOf(market);
      let curve = curves.get(key);
      if (!curve) curves.set(key, (curve = curveOf(fits.of(market))));
      return curve;
    },
  };
}

function curveOf({ line, landscape }: MarketFit): WinCurve {
  const rates = new Float64Array(STEPS);
  const weights = new Float64Array(STEPS);
  const errors = new Float64Array(STEPS);
  for (let step = 0; step < STEPS; step += 1) {
    const x = logPriceOf(step) - line.middle;
    const { rate: expected, by } = linked(line.free, line.a + line.b * x);
    const placed = landscape?.placed[step] ?? 0;
    const won = Math.min(placed, landscape?.won[step] ?? 0);
    weights[step] = placed + SMOOTHING_BIDS;
    rates[step] = (won + SMOOTHING_BIDS * expected) / weights[step]!;
    const ofFit = Math.sqrt(Math.max(0, line.varA + 2 * x * line.covAB + x * x * line.varB));
    const shareOfFit = SMOOTHING_BIDS / weights[step]!;
    const rate = Math.min(0.999, Math.max(0.001, rates[step]!));
    const ofBids = Math.sqrt(placed / (rate * (1 - rate))) / weights[step]!;
    const ofFree = FREE_ERROR * (1 - logistic(line.a + line.b * x));
    // On the scale of logits.
    const ofLine = Math.hypot(ofFit * by, ofFree) / (expected * (1 - expected));
    errors[step] = Math.hypot(ofLine * shareOfFit, ofBids);
  }
  isotonic(rates, weights);
  const paid = paidBelow(rates);
  const at = (table: Float64Array, cpmMicros: Micros): number => interpolated(table, cpmMicros);
  return {
    winRate: (cpmMicros) => at(rates, cpmMicros),
    logitError: (cpmMicros) => errors[priceStepOf(cpmMicros)]!,
    secondPrice: (bid, floor) => floor * at(rates, floor) + Math.max(0, at(paid, bid) - at(paid, floor)),
  };
}

/** Makes the rates never fall (the pool adjacent violators algorithm). */
function isotonic(rates: Float64Array, weights: Float64Array): void {
  const blocks: { sum: number; weight: number; steps: number }[] = [];
  for (let step = 0; step < rates.length; step += 1) {
    blocks.push({ sum: rates[step]! * weights[step]!, weight: weights[step]!, steps: 1 });
    for (;;) {
      const last = blocks.at(-1)!;
      const before = blocks.at(-2);
      if (!before || before.sum / before.weight <= last.sum / last.weight) break;
      blocks.pop();
      before.sum += last.sum;
      before.weight += last.weight;
      before.steps += last.steps;
    }
  }
  let step = 0;
  for (const { sum, weight, steps } of blocks) {
    rates.fill(sum / weight, step, step + steps);
    step += steps;
  }
}

/** Integral of the clearing price over the auctions that are won below each step, in micros. */
function paidBelow(rates: Float64Array): Float64Array {
  const paid = new Float64Array(rates.length);
  for (let step = 1; step < rates.length; step += 1) {
    const between = Math.exp((logPriceOf(step) + logPriceOf(step - 1)) / 2) * 1e6;
    paid[step] = paid[step - 1]! + (rates[step]! - rates[step - 1]!) * between;
  }
  return paid;
}

/** The value of a table by price step at a price; the table has the values of the steps' middles. */
function interpolated(table: Float64Array, cpmMicros: Micros): number {
  const place = exactStepOf(cpmMicros);
  if (place <= 0) return table[0]!;
  if (place >= table.length - 1) return table.at(-1)!;
  const step = Math.floor(place);
  return table[step]! + (table[step + 1]! - table[step]!) * (place - step);
}
