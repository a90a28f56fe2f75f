import type { Micros } from '@bidwell/contract/lib/money';
import type { CompiledCaps } from '../model/frequency.ts';
import { type CompiledAdset, shadesBids } from '../model/candidate.ts';
import type { SampleColumns } from './columns.ts';
import { Day, type DayInput, type DayPoint, type DayRanges, marginFactor } from './day.ts';
import { type Outcome, type Pricing, outcomeOf } from './outcome.ts';
import { type Opportunities, thinned } from './opportunities.ts';
import { type InstallMicrosOf, type InstallRateOf, type Rival, type RivalValueOf, replay } from './replay.ts';
import { valueFactors } from './ranges.ts';
import type { WinCurves, WinCurve } from './win-curves.ts';
import type { MarketKey } from './market-fits.ts';

/** Inputs of {@link forecast} in addition to the sample. */
export interface ForecastInput extends DayInput {
  nowMs: number;
  rivals: readonly Rival[];
  wins: WinCurves;
  installRateOf: InstallRateOf;
  installMicrosOf: InstallMicrosOf;
  /** The average cost of an install that an ad set with a target allows, media cost in micros; null for others. */
  meanInstallMicros: Micros | null;
  rivalValueOf: RivalValueOf;
  shade: Shade;
  firstInstallMicrosOf: (cpmMicros: Micros) => number;
  /** Whether the curve over the bid is requested. */
  withCurve: boolean;
}

/** A point of the curve over the bid. */
export interface CurvePoint extends DayPoint {
  /**
   * The CPM or, for an ad set with a target, the most that an install may cost on average, with the company's margin,
   * micros.
   */
  bidMicros: Micros;
}

/** The expected result of an ad set on a day, with its bid and with other bids. */
export interface ForecastResult extends DayRanges {
  /** Ascending by the bid; empty where none was requested. */
  curve: CurvePoint[];
  /** Index of the present bid in `curve`. */
  present: number;
  /** Whether frequency caps are counted; null for an ad set without any. */
  countsCaps: boolean | null;
  /** Share of the matching requests whose people its audiences allow, 0 to 1; null without audiences, and where they are not counted. */
  audienceShare: number | null;
}

/** A sample that is too small for a forecast. */
export interface TooLittle {
  requests: number;
  sinceMs: number | null;
}

/** Version of the method. It rises when a change makes the errors of earlier forecasts meaningless. */
export const FORECAST_METHOD = 3;

const DAY_MS = 86_400_000;
const WINDOW_DAYS = 7;
/** The least sample from which a day is forecast. */
const REQUESTS_MIN = 200;
const SPAN_MIN_MS = 600_000;
/** The curve goes from a quarter of the bid to four times the bid. */
const CURVE_STEPS = 8;
const CURVE_FACTOR = 4;
const CURVE_OPPORTUNITIES_MAX = 3000;
/** Opportunities of the sample that are used to find the price to which an algorithm converges. */
const SEARCH_OPPORTUNITIES_MAX = 1000;
/** Times as many where people matter: the requests of a person are alike. */
const WITH_PEOPLE = 4;

/** The part of the sample that is replayed: whole days, so that each hour of the day counts the same. */
export function windowOf(
  columns: SampleColumns,
  nowMs: number,
): { fromMs: number; days: number } | TooLittle {
  let sinceMs = Infinity;
  let requests = 0;
  for (const { firstMs, size } of columns.chunks) {
    sinceMs = Math.min(sinceMs, firstMs);
    requests += size;
  }
  const spanMs = Math.min(WINDOW_DAYS * DAY_MS, nowMs - sinceMs);
  if (requests < REQUESTS_MIN || spanMs < SPAN_MIN_MS)
    return { requests, sinceMs: requests > 0 ? sinceMs : null };
  const days = spanMs >= DAY_MS ? Math.floor(spanMs / DAY_MS) : spanMs / DAY_MS;
  return { fromMs: nowMs - days * DAY_MS, days };
}

/**
 * Forecasts a day of an ad set that need not run, from the sample of the last week. Pure, and the same for the same inputs.
 * docs/delivery-report.md describes the method. Yields every few thousand steps.
 */
export function* forecast(
  columns: SampleColumns,
  input: ForecastInput,
): Generator<undefined, ForecastResult | TooLittle> {
  const window = windowOf(columns, input.nowMs);
  if ('requests' in window) return window;
  const replayed = yield* replay(columns, { ...input, fromMs: window.fromMs, dayStartMs: window.fromMs });
  const curves = replayed.opportunities.markets.map((market) => input.wins.of(market));
  const day = new Day(input, replayed, window.days);
  const all = replayed.opportunities;
  const many = all.people > 0 ? WITH_PEOPLE : 1;
  const some = thinned(all, CURVE_OPPORTUNITIES_MAX * many);
  const few = thinned(some, SEARCH_OPPORTUNITIES_MAX * many);
  const outcomeAt = (factor: number, found: Opportunities) => {
    const adset = rebid(input.adset, factor);
    return pricedOutcome(adset, {
      found,
      some: found === all ? some : few,
      curves,
      shade: input.shade,
      budgetMicros: day.mediaBudgetMicros * window.days,
      firstInstallMicros: input.firstInstallMicrosOf(adset.cpmMicros),
      targetFactor: hasTarget(adset) ? factor : 1,
      caps: replayed.countsCaps ? adset.caps : null,
    });
  };
  const outcome = yield* outcomeAt(1, all);
  const curve: CurvePoint[] = [];
  let present = 0;
  for (const factor of input.withCurve ? curveFactors() : []) {
    if (factor === 1) present = curve.length;
    const at = yield* outcomeAt(factor, some);
    curve.push({ bidMicros: bidOf(input, factor), ...day.pointOf(at) });
  }
  const atValues: Outcome[] = [];
  for (const factor of valueFactors(input.valueError)) atValues.push(yield* outcomeAt(factor, some));
  return {
    ...day.rangesOf(outcome, curves, atValues),
    curve,
    present,
    countsCaps: replayed.countsCaps,
    audienceShare: replayed.audienceShare,
  };
}

function curveFactors(): number[] {
  const factors: number[] = [];
  for (let step = -CURVE_STEPS; step <= CURVE_STEPS; step += 1)
    factors.push(CURVE_FACTOR ** (step / CURVE_STEPS));
  return factors;
}

/** The ad set with another CPM; one with a target keeps it, and its target is another. */
function rebid(adset: CompiledAdset, factor: number): CompiledAdset {
  if (factor === 1 || hasTarget(adset)) return adset;
  return { ...adset, cpmMicros: Math.round(adset.cpmMicros * factor) };
}

function bidOf({ adset, meanInstallMicros }: ForecastInput, factor: number): Micros {
  const { cpmMicros, marginBasisPoints } = adset;
  const bid = hasTarget(adset) ? (meanInstallMicros ?? 0) * factor : Math.round(cpmMicros * factor);
  return Math.round(bid * marginFactor(marginBasisPoints));
}

/** Price to bid for a value in a first-price auction, as bid shading finds it. */
type Shade = (market: MarketKey, floorCpmMicros: Micros, valueCpmMicros: Micros) => Micros;

/** Inputs of {@link pricedOutcome} besides the ad set. */
interface PricesInput {
  found: Opportunities;
  /** Some of them, with the weight of all, on which the price is searched. */
  some: Opportunities;
  curves: readonly WinCurve[];
  shade: Shade;
  /** The most that may be spent on all opportunities, without the margin, micros; Infinity without a limit. */
  budgetMicros: number;
  /** Install price that Max installs begins with, micros. */
  firstInstallMicros: number;
  /** Factor on the target of Target CPI, CPA and ROAS. */
  targetFactor: number;
  /** Frequency caps that are counted; null for none. */
  caps: CompiledCaps | null;
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
 * The outcome of an ad set once its algorithm has converged: with a target, at the factor at which an install costs the target;
 * for Max installs, at the price of an install at which its daily budget lasts.
 */
function* pricedOutcome(adset: CompiledAdset, input: PricesInput): Generator<undefined, Outcome> {
  const { found, curves, caps } = input;
  const { algorithm, cpmMicros } = adset;
  const shade = shadesBids(adset) ? memoized(found, input.shade) : null;
  if (hasTarget(adset)) {
    const { targetFactor } = input;
    const at = (factor: number): Pricing => ({
      cpmMicros,
      installFactor: targetFactor * factor,
      shade,
      caps,
    });
    const isTooExpensive = ({ costMicros, installMicros }: Outcome): boolean =>
      costMicros > installMicros * targetFactor;
    return yield* convergedOutcome(input, at, COST_FACTORS, isTooExpensive);
  }
  if (algorithm === 'Max installs' && Number.isFinite(input.budgetMicros)) {
    const at = (factor: number): Pricing => ({
      cpmMicros,
      installFactor: input.firstInstallMicros * factor,
      shade,
      caps,
    });
    const isTooExpensive = ({ costMicros }: Outcome): boolean => costMicros * PACE > input.budgetMicros;
    return yield* convergedOutcome(input, at, PRICE_FACTORS, isTooExpensive);
  }
  return yield* outcomeOf(found, curves, { cpmMicros, installFactor: null, shade, caps });
}

/** Whether an ad set bids by the allowed cost of an install. */
function hasTarget({ algorithm, cpiMicros, goal }: CompiledAdset): boolean {
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
