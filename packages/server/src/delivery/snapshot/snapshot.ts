import type { CreativeType } from '@bidwell/contract/creatives/schema';
import type { AudienceLookup } from '../model/audience.ts';
import type { Bitset } from '../model/bitset.ts';
import type { Matcher } from '../matching/matcher.ts';
import type { Candidate, CreativeFormat } from '../model/candidate.ts';

/** Ad sets that have a creative of a creative format. */
export interface FormatAdsets {
  creativeFormat: CreativeFormat;
  /** See {@link formatKeyOf}. */
  formatKey: string;
  adsets: Bitset;
}

/** All creative formats with their ad sets, by creative type. */
export type FormatIndex = Record<CreativeType, readonly FormatAdsets[]>;

/** All ad sets that may bid, compiled for matching. Immutable: a rebuild replaces it as a whole. */
export interface Snapshot {
  /** Ad sets in descending order of their highest possible bid. */
  candidates: readonly Candidate[];
  matcher: Matcher;
  byFormat: FormatIndex;
  /** Ad sets with a third-party URL without https; they do not bid on secure imps. */
  insecure: Bitset;
  /** Whether an ad set is paced in hours of the device: for it the clocks of devices are counted. */
  countsClocks: boolean;
  /** The audiences in memory. They change while the snapshot is in use. */
  audiences: AudienceLookup;
}
