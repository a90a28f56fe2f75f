import type { PriceCounts } from '../learning/counts.ts';
import type { Micros } from '@bidwell/contract/lib/money';
import { LOWEST_CPM_MICROS, STEP, STEPS } from '../learning/win-rates.ts';

const LOWEST_LOG = Math.log(LOWEST_CPM_MICROS / 1e6);
const STEP_LOG = Math.log(STEP);

/** A market by which win rates are known: bids of one format at one exchange in one country. */
export interface MarketKey {
  exchange: string;
  format: string;
  country: string;
}

/** Bids placed and won by price step. */
interface Landscape {
  placed: Float64Array;
  won: Float64Array;
}

/** A logistic curve over the logarithm of the price, from a middle on: intercept, slope, and their variances. */
interface Logistic {
  /** Share of auctions without another bid, which any price wins. */
  free: number;
  /** Logarithm of a price in dollars. */
  middle: number;
  a: number;
  b: number;
  varA: number;
  varB: number;
  covAB: number;
}

/** Bids at one price step of a market. */
interface Cell {
  x: number;
  placed: number;
  won: number;
}

interface Market extends MarketKey {
  landscape: Landscape;
  cells: Cell[];
  /** The market's own addition to the effects of the country and the format. */
  own: number;
}

/**
 * The effect of a country or a format at an exchange: its addition to the intercept, and the variance of the
 * addition.
 */
interface Effect {
  value: number;
  variance: number;
  markets: Market[];
}

/** Curves of an exchange. */
interface ExchangeFit {
  free: number;
  middle: number;
  a: number;
  b: number;
  varA: number;
  varB: number;
  countries: Map<string, Effect>;
  formats: Map<string, Effect>;
}

/** The win rates of a market, fitted to its bids. */
export interface MarketFit {
  line: Logistic;
  /** Undefined where no bid was placed. */
  landscape: Landscape | undefined;
}

/** Fits of all markets. */
interface MarketFits {
  of(market: MarketKey): MarketFit;
}

/** The prior: half of the bids of $1.50 win, within a factor of four in the price. */
const PRIOR = { logPrice: Math.log(1.5), varA: 4, b: 2, varB: 0.5 };
/** How much countries, formats, their combinations, and the slopes of these differ, as variances. */
const SPREAD = { country: 1.5, format: 1.5, market: 0.2, slope: 0.15 };
const SLOPE_MIN = 0.2;
const NEWTON_STEPS = 12;
/** Rounds of a fit, for each share of free auctions that is tried. */
const FIT_ROUNDS = 12;
const FREE_SHARES = [0, 0.05, 0.1, 0.15, 0.2, 0.3];

/**
 * Fits the share of bids that win by price to bids placed and won. A share of an exchange's auctions has no other bid. In
 * the other auctions, the logit of the win share is linear in the logarithm of the price, with one slope for the exchange
 * and an intercept for each country and format, fitted with normal priors (a random-effects logistic regression). Each
 * market then has a line of its own around that. Yields after each round of a fit.
 */
export function* fitMarkets(counts: readonly PriceCounts[]): Generator<undefined, MarketFits> {
  const markets = marketsOf(counts);
  const exchanges = new Map<string, ExchangeFit>();
  for (const exchange of new Set(counts.map((row) => row.exchange))) {
    const own = [...markets.values()].filter((market) => market.exchange === exchange);
    exchanges.set(exchange, yield* fitExchange(own));
  }
  const unknown = yield* fitExchange([]);
  return {
    of(market) {
      const landscape = markets.get(keyOf(market))?.landscape;
      const prior = priorOf(exchanges.get(market.exchange) ?? unknown, market);
      return { line: fitMarket(landscape, prior), landscape };
    },
  };
}

/** A market as a key of a map. */
export function keyOf({ exchange, country, format }: MarketKey): string {
  return `${exchange}\n${country}\n${format}`;
}

function marketsOf(counts: readonly PriceCounts[]): Map<string, Market> {
  const markets = new Map<string, Market>();
  for (const { exchange, format, country, step, placed, won } of counts) {
    const key = keyOf({ exchange, format, country });
    let market = markets.get(key);
    if (!market) {
      const landscape = { placed: new Float64Array(STEPS), won: new Float64Array(STEPS) };
      market = { exchange, format, country, landscape, cells: [], own: 0 };
      markets.set(key, market);
    }
    market.landscape.placed[step]! += placed;
    market.landscape.won[step]! += Math.min(won, placed);
  }
  for (const { landscape, cells } of markets.values())
    for (let step = 0; step < STEPS; step += 1) {
      const placed = landscape.placed[step]!;
      if (placed > 0)
        cells.push({ x: logPriceOf(step), placed, won: Math.min(placed, landscape.won[step]!) });
    }
  return markets;
}

/** Fits an exchange with the share of free auctions that explains its bids best. */
function* fitExchange(markets: readonly Market[]): Generator<undefined, ExchangeFit> {
  const fit = firstFit(markets);
  let best = { free: 0, likelihood: -Infinity };
  for (const free of FREE_SHARES) {
    fit.free = free;
    yield* improve(markets, fit);
    const likelihood = likelihoodOf(markets, fit);
    if (likelihood > best.likelihood) best = { free, likelihood };
  }
  fit.free = best.free;
  yield* improve(markets, fit);
  setVariances(markets, fit);
  return fit;
}

function firstFit(markets: readonly Market[]): ExchangeFit {
  const placed = sumOf(markets, ({ placed: bids }) => bids);
  const middle = placed > 0 ? sumOf(markets, (cell) => cell.placed * cell.x) / placed : PRIOR.logPrice;
  return {
    free: 0,
    middle,
    a: PRIOR.b * (middle - PRIOR.logPrice),
    b: PRIOR.b,
    varA: PRIOR.varA,
    varB: PRIOR.varB,
    countries: effectsOf(markets, ({ country }) => country, SPREAD.country),
    formats: effectsOf(markets, ({ format }) => format, SPREAD.format),
  };
}

/** Fisher scoring, one parameter after the other, again and again. */
function* improve(markets: readonly Market[], fit: ExchangeFit): Generator<undefined, void> {
  const priorA = PRIOR.b * (fit.middle - PRIOR.logPrice);
  for (let round = 0; round < FIT_ROUNDS; round += 1) {
    fit.a = stepped(
      fit.a,
      priorA,
      PRIOR.varA,
      slopesOf(markets, fit, () => 1),
    );
    const slope = slopesOf(markets, fit, ({ x }) => x - fit.middle);
    fit.varB = 1 / (slope.curvature + 1 / PRIOR.varB);
    fit.b = Math.max(SLOPE_MIN, stepped(fit.b, PRIOR.b, PRIOR.varB, slope));
    for (const effect of fit.countries.values())
      effect.value = stepped(
        effect.value,
        0,
        SPREAD.country,
        slopesOf(effect.markets, fit, () => 1),
      );
    for (const effect of fit.formats.values())
      effect.value = stepped(
        effect.value,
        0,
        SPREAD.format,
        slopesOf(effect.markets, fit, () => 1),
      );
    for (const market of markets)
      market.own = stepped(
        market.own,
        0,
        SPREAD.market,
        slopesOf([market], fit, () => 1),
      );
    yield;
  }
}

/** A parameter after one step to its maximum a posteriori, with a normal prior. */
function stepped(
  value: number,
  mean: number,
  variance: number,
  { gradient, curvature }: { gradient: number; curvature: number },
): number {
  return value + bounded((gradient - (value - mean) / variance) / (curvature + 1 / variance));
}

function setVariances(markets: readonly Market[], fit: ExchangeFit): void {
  const curvatureOf = (of: readonly Market[]): number => slopesOf(of, fit, () => 1).curvature;
  fit.varA = 1 / (curvatureOf(markets) + 1 / PRIOR.varA);
  const setVariance = (effect: Effect, spread: number): void => {
    // Each market is evidence of the effect; it counts less the more markets differ from each other.
    const known = effect.markets.map(
      (market) => 1 / (SPREAD.market + 1 / Math.max(1e-9, curvatureOf([market]))),
    );
    effect.variance = 1 / known.reduce((sum, one) => sum + one, 1 / spread);
  };
  for (const effect of fit.countries.values()) setVariance(effect, SPREAD.country);
  for (const effect of fit.formats.values()) setVariance(effect, SPREAD.format);
}

function interceptOf(fit: ExchangeFit, { country, format, own }: Market): number {
  return fit.a + fit.countries.get(country)!.value + fit.formats.get(format)!.value + own;
}

function likelihoodOf(markets: readonly Market[], fit: ExchangeFit): number {
  let sum = 0;
  for (const market of markets) {
    const intercept = interceptOf(fit, market);
    for (const { x, placed, won } of market.cells) {
      const { rate } = linked(fit.free, intercept + fit.b * (x - fit.middle));
      sum += won * Math.log(rate) + (placed - won) * Math.log(1 - rate);
    }
  }
  return sum;
}

/** The share that wins, and its derivative by the line of the logistic curve. */
export function linked(free: number, line: number): { rate: number; by: number } {
  const share = logistic(line);
  const rate = Math.min(0.9999, Math.max(0.0001, free + (1 - free) * share));
  return { rate, by: (1 - free) * share * (1 - share) };
}

function effectsOf(
  markets: readonly Market[],
  nameOf: (market: Market) => string,
  variance: number,
): Map<string, Effect> {
  const effects = new Map<string, Effect>();
  for (const market of markets) {
    const name = nameOf(market);
    const effect = effects.get(name);
    if (effect) effect.markets.push(market);
    else effects.set(name, { value: 0, variance, markets: [market] });
  }
  return effects;
}

/** Gradient of the log likelihood by one parameter, and its negative second derivative. */
function slopesOf(
  markets: readonly Market[],
  fit: ExchangeFit,
  derivative: (cell: Cell) => number,
): { gradient: number; curvature: number } {
  let [gradient, curvature] = [0, 0];
  for (const market of markets) {
    const intercept = interceptOf(fit, market);
    for (const cell of market.cells) {
      const { rate, by } = linked(fit.free, intercept + fit.b * (cell.x - fit.middle));
      const change = by * derivative(cell);
      gradient += ((cell.won - cell.placed * rate) * change) / (rate * (1 - rate));
      curvature += (cell.placed * change * change) / (rate * (1 - rate));
    }
  }
  return { gradient, curvature };
}

function sumOf(markets: readonly Market[], valueOf: (cell: Cell) => number): number {
  return markets.reduce((sum, { cells }) => cells.reduce((all, cell) => all + valueOf(cell), sum), 0);
}

/** The curve that a market should have by its country and format. */
function priorOf(fit: ExchangeFit, { country, format }: MarketKey): Logistic {
  const ofCountry = fit.countries.get(country) ?? { value: 0, variance: SPREAD.country };
  const ofFormat = fit.formats.get(format) ?? { value: 0, variance: SPREAD.format };
  return {
    free: fit.free,
    middle: fit.middle,
    a: fit.a + ofCountry.value + ofFormat.value,
    b: fit.b,
    varA: fit.varA + ofCountry.variance + ofFormat.variance + SPREAD.market,
    varB: fit.varB + SPREAD.slope,
    covAB: 0,
  };
}

/** The maximum a posteriori curve of a market, with the error of the Laplace approximation; the prior without bids. */
function fitMarket(landscape: Landscape | undefined, prior: Logistic): Logistic {
  if (!landscape) return prior;
  let { a, b } = prior;
  let inverse = { varA: prior.varA, varB: prior.varB, covAB: 0 };
  for (let round = 0; round < NEWTON_STEPS; round += 1) {
    let [haa, hbb, hab] = [1 / prior.varA, 1 / prior.varB, 0];
    let ga = (prior.a - a) / prior.varA;
    let gb = (prior.b - b) / prior.varB;
    for (let step = 0; step < STEPS; step += 1) {
      const placed = landscape.placed[step]!;
      if (placed === 0) continue;
      const x = logPriceOf(step) - prior.middle;
      const { rate, by } = linked(prior.free, a + b * x);
      const error = ((Math.min(placed, landscape.won[step]!) - placed * rate) * by) / (rate * (1 - rate));
      const weight = (placed * by * by) / (rate * (1 - rate));
      ga += error;
      gb += error * x;
      haa += weight;
      hab += weight * x;
      hbb += weight * x * x;
    }
    const determinant = haa * hbb - hab * hab;
    inverse = { varA: hbb / determinant, varB: haa / determinant, covAB: -hab / determinant };
    // Steps are bounded: far from the maximum the curvature says little.
    a += bounded(inverse.varA * ga + inverse.covAB * gb);
    b = Math.max(SLOPE_MIN, b + bounded(inverse.covAB * ga + inverse.varB * gb));
  }
  return { ...prior, a, b, ...inverse };
}

const bounded = (change: number): number => Math.min(1, Math.max(-1, change));

/** The logistic function. */
export function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** Logarithm of the middle price of a step, in dollars. */
export const logPriceOf = (step: number): number => LOWEST_LOG + (step + 0.5) * STEP_LOG;

/** The step of a price, whole for the middle price of a step; not limited to the steps that there are. */
export const exactStepOf = (cpmMicros: Micros): number =>
  (Math.log(Math.max(1, cpmMicros) / 1e6) - LOWEST_LOG) / STEP_LOG - 0.5;
