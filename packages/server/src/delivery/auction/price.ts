import type { Micros } from '@bidwell/contract/money';
import type { Judgement, Outlook } from '../model/valuation.ts';
import type { Candidate } from '../model/candidate.ts';

/**
 * What an impression is worth to an ad set, micros per thousand. Manual CPM: its CPM. Target CPI: what the installs to be
 * expected are worth to the advertiser. Max installs: what they are worth at the price that makes its daily budget last. A
 * bundle's own price takes the CPM's place, and nothing is worth more than that. Null where it is less than
 * `leastCpmMicros` and that is known without looking closely.
 */
export function worthCpmMicros(
  candidate: Candidate,
  bundle: string,
  outlook: Outlook,
  judgement: Judgement,
  leastCpmMicros: Micros,
): Micros | null {
  const installPrice = installPriceOf(candidate, judgement);
  if (installPrice !== null && outlook.rateAtMost(candidate) * installPrice * 1000 < leastCpmMicros)
    return null;
  const ceiling = candidate.bundleCpmMicros.get(bundle) ?? candidate.cpmMicros;
  if (installPrice === null) return ceiling;
  return Math.min(ceiling, Math.floor(outlook.rateOf(candidate) * installPrice * 1000));
}

function installPriceOf(candidate: Candidate, judgement: Judgement): number | null {
  if (candidate.algorithm === 'Max installs') return judgement.installPriceMicros(candidate);
  if (candidate.algorithm !== 'Target CPI' || !candidate.cpiMicros) return null;
  return candidate.cpiMicros * judgement.costFactor(candidate);
}

/** The most that one impression of a bid may cost: its price for a thousand, divided and rounded up. */
export function impressionMicros(cpmMicros: Micros): Micros {
  return Math.ceil(cpmMicros / 1000);
}
