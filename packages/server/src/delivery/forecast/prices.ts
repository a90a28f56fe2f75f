import type { Micros } from '@bidwell/contract/lib/money';
import { shadesBids } from '../model/shading.ts';
import type { CompiledAdset } from '../model/candidate.ts';
import type { MarketKey } from './market-fits.ts';
import { type Outcome, type Pricing, outcomeOf } from './outcome.ts';
import type { Opportunities } from './opportunities.ts';
import type { WinCurve } from './win-curves.ts';

/** Price to bid for a value in a first-price auction, as bid shading finds it. */
export type Shade = (market: MarketKey, floorCpmMicros: Micros, valueCpmMicros: Micros) => Micros;

/** Inputs of {@link pricedOutcome} besides the ad set. */
export interface PricesInput {
  found: Opportunities;
  /** Some of them, with the weight of all, on which the price is searched. */
  some: Opportunities;
  curves: readonly WinCurve[];
  shade: Shade;
  /** What may be spent on all opportunities without margin, micros; Infinity without a limit. */
  budgetMicros: number;
  /** Install price that Max installs begins with, micros. */
  firstInstallMicros: number;
  /** Factor on the target of Target CPI, CPA and ROAS. */
  targetFactor: number;
}

/**
 * Share of the offers on which Max installs bids. The target of its controller is 0.9, but the average is lower, since the
 * controller follows the traffic of the day (`npm run bench -- forecast`).
 */
const PACE = 0.7;
/** Bounds of the install price of Max installs as multiples of its first value, and of the factor of Target CPI, CPA and ROAS. */
const PRICE_FACTORS = [1 / 50, 50] as const;
const COST_FACTORS = [1, 4] as const;
const SEARCHES = 7;
/** Floors and values within 15 % of each other are shaded alike. */
const SHADE_STEP = Math.log(1.15);

/**
 * The outcome of an ad set once its algorithm has converged: with a target at the factor at which an install costs what it may,
 * Max installs at the price of an install at which its daily budget lasts.
 */
export function* pricedOutcome(adset: CompiledAdset, input: PricesInput): Generator<undefined, Outcome> {
  const { found, curves } = input;
  const { algorithm, cpmMicros } = adset;
  const shade = shadesBids(adset) ? memoized(found, input.shade) : null;
  if (hasTarget(adset)) {
    const { targetFactor } = input;
    const at = (factor: number): Pricing => ({ cpmMicros, installFactor: targetFactor * factor, shade });
    const isTooExpensive = ({ costMicros, installMicros }: Outcome): boolean =>
      costMicros > installMicros * targetFactor;
    return yield* convergedOutcome(input, at, COST_FACTORS, isTooExpensive);
  }
  if (algorithm === 'Max installs' && Number.isFinite(input.budgetMicros)) {
    const at = (factor: number): Pricing => ({
      cpmMicros,
      installFactor: input.firstInstallMicros * factor,
      shade,
    });
    const isTooExpensive = ({ costMicros }: Outcome): boolean => costMicros * PACE > input.budgetMicros;
    return yield* convergedOutcome(input, at, PRICE_FACTORS, isTooExpensive);
  }
  return yield* outcomeOf(found, curves, { cpmMicros, installFactor: null, shade });
}

/** Whether an ad set bids by what an install may cost. */
export function hasTarget({ algorithm, cpiMicros, goal }: CompiledAdset): boolean {
  return goal !== null || (algorithm === 'Target CPI' && Boolean(cpiMicros));
}

/** The outcome at the highest factor that is not too expensive, found by bisection on a logarithmic scale. */
function* convergedOutcome(
  { found, some, curves }: PricesInput,
  pricingAt: (factor: number) => Pricing,
  [lowest, highest]: readonly [number, number],
  isTooExpensive: (outcome: Outcome) => boolean,
): Generator<undefined, Outcome> {
  const isTooExpensiveAt = function* (factor: number): Generator<undefined, boolean> {
    return isTooExpensive(yield* outcomeOf(some, curves, pricingAt(factor)));
  };
  let [low, high] = [Math.log(lowest), Math.log(highest)];
  if (!(yield* isTooExpensiveAt(highest))) low = high;
  for (let search = 0; search < SEARCHES && low < high; search += 1) {
    const middle = (low + high) / 2;
    if (yield* isTooExpensiveAt(Math.exp(middle))) high = middle;
    else low = middle;
  }
  return yield* outcomeOf(found, curves, pricingAt(Math.exp(low)));
}

function memoized({ markets }: Opportunities, shade: Shade): NonNullable<Pricing['shade']> {
  const memo = new Map<number, Micros>();
  const stepOf = (micros: number): number => Math.round(Math.log(Math.max(1, micros)) / SHADE_STEP);
  return (market, floor, value) => {
    const key = (market * 1024 + stepOf(floor)) * 1024 + stepOf(value);
    let price = memo.get(key);
    if (price === undefined) memo.set(key, (price = shade(markets[market]!, floor, value)));
    return Math.min(value, Math.max(floor, price));
  };
}
