import type { CreativeType } from '@bidwell/contract/creative';
import type { Bits } from '../model/bitset.ts';
import type { Matcher } from '../matching/matcher.ts';
import type { Candidate, Shape } from '../model/candidate.ts';

/** Ad sets that have a creative of a shape. */
export interface ShapeSlot {
  shape: Shape;
  adsets: Bits;
}

/** All shapes with their ad sets, by creative type. */
export type ShapeIndex = Record<CreativeType, readonly ShapeSlot[]>;

/** All ad sets that may bid, compiled for matching. Immutable: a rebuild replaces it as a whole. */
export interface Snapshot {
  /** Ad sets in descending order of their highest possible bid. */
  candidates: readonly Candidate[];
  matcher: Matcher;
  byShape: ShapeIndex;
  /** Ad sets with a third-party URL without https; they do not bid on secure imps. */
  insecure: Bits;
}
