import type { Micros } from '@bidwell/contract/lib/money';
import type { Candidate, CompiledCreative } from './candidate.ts';

/** Ids of an ad set and of its company. */
export interface AdsetOf {
  adsetId: string;
  companyId: string;
}

/** Predicted success rates of ad sets for one format and placement. */
export interface Prediction {
  /** Probability that one trial succeeds, 0 to 1. */
  rateOf(adset: AdsetOf): number;
  /** Upper bound of {@link rateOf}, cheap to compute: lets the auction skip ad sets that cannot win. */
  rateAtMost(adset: AdsetOf): number;
}

/** Learned predictions of impressions and of competition, by which the auction values and prices bids. */
export interface Valuation {
  /** Expected installs per impression of the imp, for a format: a banner's size, otherwise the creative type. */
  predict(format: string): Prediction;
  /** Current price of an install for an ad set with the algorithm Max installs, micros; null when only its CPM applies. */
  installPriceMicros(candidate: Candidate): number | null;
  /**
   * The most that an install may cost an ad set with a target, in the request's app and country, micros; null for other ad
   * sets.
   */
  targetInstallMicros(candidate: Candidate): number | null;
  /** Factor on the value of a bid with a target, because some auctions charge less than the bid; 1 where none does. */
  costFactor(candidate: Candidate): number;
  /** Chooses the creative to show. `creatives` are those that fit, at least one. */
  choose(candidate: Candidate, creatives: readonly CompiledCreative[]): CompiledCreative;
  /** Price to bid, micros per thousand: at least the floor, at most the value. */
  bidCpmMicros(
    candidate: Candidate,
    creative: CompiledCreative,
    floorCpmMicros: Micros,
    valueCpmMicros: Micros,
  ): Micros;
}
