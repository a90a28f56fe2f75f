import type { Micros } from '@bidwell/contract/money';
import type { Candidate, ShapedCreative } from './candidate.ts';

/** An ad set, and whose it is. */
export interface AdsetOf {
  adsetId: string;
  companyId: string;
}

/** What is promised to ad sets that show one format in one place. */
export interface Outlook {
  /** The chance that one trial succeeds, 0 to 1. */
  rateOf(adset: AdsetOf): number;
  /** No less than {@link rateOf}, anywhere: for telling cheaply who cannot win. */
  rateAtMost(adset: AdsetOf): number;
}

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
