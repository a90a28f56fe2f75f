import type { Micros } from '@bidwell/contract/money';
import type { Outlook } from '../learning/rate-model.ts';
import type { Candidate, ShapedCreative } from '../snapshot/types.ts';

/** What the bidder believes of impressions and competition; all of it is learned, none of it is targeting. */
export interface Judgement {
  /** Installs that one impression of the imp promises an ad set that shows one format: a banner's size, else the type. */
  outlook(format: string): Outlook;
  /** What an ad set of the algorithm Max installs pays for an install now, micros; null when its CPM alone decides. */
  installPriceMicros(candidate: Candidate): number | null;
  /** How much more than its worth a Target CPI bid is, because some auctions charge less than was bid; 1 where none does. */
  costFactor(candidate: Candidate): number;
  /** The creative to show, of those that fit; there is at least one. */
  choose(candidate: Candidate, creatives: readonly ShapedCreative[]): ShapedCreative;
  /** The price to send, micros per thousand: from the floor up to what the impression is worth. */
  bidCpmMicros(
    candidate: Candidate,
    creative: ShapedCreative,
    floorCpmMicros: Micros,
    worthCpmMicros: Micros,
  ): Micros;
}

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
