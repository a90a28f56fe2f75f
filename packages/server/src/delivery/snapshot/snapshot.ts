import type { CreativeType } from '@bidwell/contract/creative';
import type { Bits } from '../model/bitset.ts';
import type { Matcher } from '../matching/matcher.ts';
import type { Candidate, Shape } from '../model/candidate.ts';

/** The ad sets with a creative of one shape. */
export interface ShapeSlot {
  shape: Shape;
  adsets: Bits;
}

/** Shapes of which an ad set has a creative, by type. */
export type ShapeIndex = Record<CreativeType, readonly ShapeSlot[]>;

/** Everything that may bid, compiled. Never changed: a new one takes its place whole. */
export interface Snapshot {
  /** The one that may bid most comes first. */
  candidates: readonly Candidate[];
  matcher: Matcher;
  byShape: ShapeIndex;
  /** Ad sets that may not be shown where all addresses have to be on https. */
  insecure: Bits;
}
