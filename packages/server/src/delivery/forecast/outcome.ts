import type { Micros } from '@bidwell/contract/lib/money';
import { multiplied } from '../model/price-rules.ts';
import type { CompiledCaps } from '../model/frequency.ts';
import type { Opportunities } from './opportunities.ts';
import { CapReplay } from './people.ts';
import type { WinCurve } from './win-curves.ts';

/** How an ad set prices an impression. All prices are without the company's margin. */
export interface Pricing {
  /** Highest CPM, where it has none for the publisher. */
  cpmMicros: Micros;
  /** Factor on the allowed cost of an install in each place, see `InstallMicrosOf`; null when only the CPM counts. */
  installFactor: number | null;
  /** Price to bid in a first-price auction for a value; null for bids at the value. */
  shade: ((market: number, floorCpmMicros: Micros, valueCpmMicros: Micros) => Micros) | null;
  /** Its frequency caps and its campaign's; null without any, and where people are not known. */
  caps: CompiledCaps | null;
}

/** The expected result of a bid on the sample, before budgets. */
export interface Outcome {
  /** Requests whose floor its value reaches, also where another ad set of the company has a higher one. */
  aboveFloor: number;
  /** Requests for which it has the highest value on this platform and reaches the floor. */
  bids: number;
  wins: number;
  /** Requests whose floor it reaches, of people who have reached a frequency cap. */
  capped: number;
  /** Price of the wins without margin, micros. */
  costMicros: number;
  /** Expected installs if each win becomes an impression, and their allowed cost in total, micros. */
  installs: number;
  installMicros: number;
  /** The same for each market. */
  byMarket: { bids: Float64Array; wins: Float64Array; costMicros: Float64Array; installs: Float64Array };
}

const YIELD_EVERY = 4096;

/**
 * The expected outcome of all opportunities at a price. A lower CPM never wins more. `curves` are the win curves of the
 * opportunities' markets. With frequency caps the opportunities are in the order of `byPerson`. Pure. Yields at regular intervals.
 */
export function* outcomeOf(
  found: Opportunities,
  curves: readonly WinCurve[],
  pricing: Pricing,
): Generator<undefined, Outcome> {
  const caps = pricing.caps && found.people > 0 ? new CapReplay(pricing.caps) : null;
  const { markets } = found;
  const totals = (): Float64Array => new Float64Array(markets.length);
  let [aboveFloor, installMicros, capped] = [0, 0, 0];
  const byMarket = { bids: totals(), wins: totals(), costMicros: totals(), installs: totals() };
  // Most opportunities of a market have the same price.
  const atCpm = curves.map((curve) => curve.winRate(pricing.cpmMicros));
  for (let at = 0; at < found.size; at += 1) {
    if (at % YIELD_EVERY === YIELD_EVERY - 1) yield;
    const openShare = caps ? caps.openShareAt(found, at) : 1;
    const value = valueAt(found, at, pricing);
    const floor = found.floorCpmMicros[at]!;
    if (value <= 0 || value < floor) continue;
    const market = found.market[at]!;
    const { isSecondPrice } = markets[market]!;
    const price = isSecondPrice || !pricing.shade ? value : pricing.shade(market, floor, value);
    aboveFloor += found.weight[at]!;
    const against = shareAgainstRival(found, at, value);
    capped += found.weight[at]! * (1 - openShare);
    const weight = found.weight[at]! * openShare * against;
    const curve = curves[market]!;
    const winRate = price === pricing.cpmMicros ? atCpm[market]! : curve.winRate(price);
    caps?.addChance(against * winRate);
    const wins = weight * winRate;
    byMarket.bids[market]! += weight;
    byMarket.wins[market]! += wins;
    const cost = isSecondPrice ? Math.min(price * winRate, curve.secondPrice(price, floor)) : price * winRate;
    byMarket.costMicros[market]! += (weight * cost) / 1000;
    const installs = wins * found.installRate[at]!;
    byMarket.installs[market]! += installs;
    installMicros += installs * found.installMicros[at]!;
  }
  return {
    aboveFloor,
    capped,
    bids: sum(byMarket.bids),
    wins: sum(byMarket.wins),
    costMicros: sum(byMarket.costMicros),
    installs: sum(byMarket.installs),
    installMicros,
    byMarket,
  };
}

function valueAt(found: Opportunities, at: number, { cpmMicros, installFactor }: Pricing): Micros {
  const own = found.ownCpmMicros[at]!;
  const factor = found.factor[at]!;
  const ceiling = own > 0 ? own : cpmMicros;
  if (installFactor === null) return multiplied(ceiling, factor);
  const installMicros = found.installMicros[at]! * installFactor;
  const value = Math.min(ceiling, Math.floor(found.installRate[at]! * installMicros * 1000));
  return multiplied(value, factor);
}

/** The share of the requests on which no own ad set of a higher value bids; equal values share them. */
function shareAgainstRival(found: Opportunities, at: number, value: Micros): number {
  const rival = found.rivalCpmMicros[at]!;
  const share = found.rivalShare[at]!;
  if (rival < value || share === 0) return 1;
  return rival === value ? 1 - share / 2 : 1 - share;
}

function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
