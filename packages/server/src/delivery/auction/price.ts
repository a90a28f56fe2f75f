import type { Micros } from '@bidwell/contract/lib/money';
import { type FactorInput, factorOf } from '../model/bid-factor.ts';
import { chargeCpmMicros, multiplied } from '../model/price-rules.ts';
import type { Valuation, Prediction } from '../model/valuation.ts';
import type { Candidate, CompiledAdset, CreativeFormat } from '../model/candidate.ts';
import type { ParsedImp } from '../model/bid-request.ts';

/**
 * Value of an impression to an ad set without the company's margin, micros per thousand. Manual CPM: its CPM. Target CPI: expected installs
 * times the target CPI. Target CPA and Target ROAS: expected installs times the value of an install there. Max installs: expected installs
 * times the price that makes the daily budget last. The CPM bid, see {@link ceilingCpmMicrosOf}, is the upper bound. The ad set's multipliers apply to all of it. Null when a cheap upper
 * bound is already below `leastCpmMicros`.
 */
export function valueCpmMicrosOf(
  candidate: Candidate,
  { input, predict }: Placement,
  valuation: Valuation,
  leastCpmMicros: Micros,
): Micros | null {
  const ceiling = ceilingCpmMicrosOf(candidate, input.bundle, input.country);
  const factor = candidate.factors === null ? 1 : factorOf(candidate.factors, input);
  const installPrice = installPriceOf(candidate, valuation);
  if (installPrice === null) return multiplied(ceiling, factor);
  const prediction = predict();
  if (prediction.rateAtMost(candidate) * installPrice * 1000 * factor < leastCpmMicros) return null;
  const value = Math.min(ceiling, Math.floor(prediction.rateOf(candidate) * installPrice * 1000));
  return multiplied(value, factor);
}

/** What the value of an impression depends on besides the ad set: the request, a format, and its predictions. */
export interface Placement {
  input: FactorInput;
  predict: () => Prediction;
}

/** The highest CPM that an ad set bids for an impression: its CPM bid with its multipliers. */
export function highestCpmMicrosOf(candidate: Candidate, input: FactorInput): Micros {
  const ceiling = ceilingCpmMicrosOf(candidate, input.bundle, input.country);
  return candidate.factors === null ? ceiling : multiplied(ceiling, factorOf(candidate.factors, input));
}

/** The CPM bid of an ad set in a publisher's app and a country: the bundle's own before the country's, before the ad set's. */
export function ceilingCpmMicrosOf(
  {
    cpmMicros,
    bundleCpmMicros,
    countryBids,
  }: Pick<CompiledAdset, 'cpmMicros' | 'bundleCpmMicros' | 'countryBids'>,
  bundle: string,
  country: string,
): Micros {
  const ofBundle = bundleCpmMicros.size > 0 ? bundleCpmMicros.get(bundle) : undefined;
  if (ofBundle !== undefined) return ofBundle;
  return (countryBids.size > 0 ? countryBids.get(country)?.cpmMicros : null) ?? cpmMicros;
}

function installPriceOf(candidate: Candidate, valuation: Valuation): number | null {
  if (candidate.algorithm === 'Max installs') return valuation.installPriceMicros(candidate);
  if (candidate.algorithm === 'Manual CPM') return null;
  const targetMicros = valuation.targetInstallMicros(candidate);
  return targetMicros ? targetMicros * valuation.costFactor(candidate) : null;
}

/** The most that an advertiser is charged for one impression bought at a CPM, with the margin on it, in whole micros. */
export function impressionMicros(mediaCpmMicros: Micros, marginBasisPoints: number): Micros {
  return Math.ceil(chargeCpmMicros(mediaCpmMicros, marginBasisPoints) / 1000);
}

/**
 * Floor of an imp for creatives of a creative format, micros per thousand. For a video it depends on the duration (OpenRTB 2.6,
 * 3.2.7 `mincpmpersec` and `durfloors`): a matching entry of `durfloors` replaces the imp's floor (the highest of several
 * matching entries), and `mincpmpersec` times the duration is a further minimum.
 */
export function floorOf(
  { floorCpmMicros, video }: ParsedImp,
  { type, durationSeconds }: CreativeFormat,
): Micros {
  if (type !== 'Video' || !video) return floorCpmMicros;
  let own: Micros | null = null;
  for (const floor of video.durationFloors) {
    if (durationSeconds < floor.secondsMin || durationSeconds > floor.secondsMax) continue;
    own = Math.max(own ?? 0, floor.floorCpmMicros);
  }
  return Math.max(own ?? floorCpmMicros, video.floorPerSecondCpmMicros * durationSeconds);
}
