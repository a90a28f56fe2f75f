import type { Micros } from '@bidwell/contract/lib/money';
import { chargeCpmMicros } from '../model/price-rules.ts';
import type { Valuation, Prediction } from '../model/valuation.ts';
import type { Candidate, CreativeFormat } from '../model/candidate.ts';
import type { ParsedImp } from '../model/bid-request.ts';

/**
 * Value of an impression to an ad set without the company's margin, micros per thousand. Manual CPM: its CPM. Target CPI: expected installs
 * times the target CPI. Target CPA and Target ROAS: expected installs times the value of an install there. Max installs: expected installs
 * times the price that makes the daily budget last. The CPM, or the bundle's own CPM if set, is the upper bound. Null when a cheap upper
 * bound is already below `leastCpmMicros`.
 */
export function valueCpmMicrosOf(
  candidate: Candidate,
  bundle: string,
  predict: () => Prediction,
  valuation: Valuation,
  leastCpmMicros: Micros,
): Micros | null {
  const { bundleCpmMicros } = candidate;
  const ceiling = (bundleCpmMicros.size > 0 ? bundleCpmMicros.get(bundle) : undefined) ?? candidate.cpmMicros;
  const installPrice = installPriceOf(candidate, valuation);
  if (installPrice === null) return ceiling;
  const prediction = predict();
  if (prediction.rateAtMost(candidate) * installPrice * 1000 < leastCpmMicros) return null;
  return Math.min(ceiling, Math.floor(prediction.rateOf(candidate) * installPrice * 1000));
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
