import type { RequestProfile } from '../matching/request-profile.ts';
import { type Intersection, createBitset, union } from '../model/bitset.ts';
import type { Micros } from '@bidwell/contract/lib/money';
import type { ParsedImp } from '../model/bid-request.ts';
import type { FormatAdsets, Snapshot } from '../snapshot/snapshot.ts';
import { floorOf } from './floor.ts';
import { fittingFormats } from './formats.ts';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';

/** Creative formats that an imp accepts, with the same format, and so the same predictions, and the same floor. */
export interface FormatGroup {
  format: string;
  floorCpmMicros: Micros;
  slots: FormatAdsets[];
}

/** Groups that fit an imp. `reason` is the latest no-bid reason among the creative formats that do not. */
export interface Shortlist {
  groups: readonly FormatGroup[];
  reason: NoBidReason;
}

/** A request with the ad sets that target it. */
export interface Reach {
  profile: RequestProfile;
  nowMs: number;
  /**
   * Ad sets whose targeting fits, regardless of their creatives; null for none. Undefined until an imp has a format of
   * ours: most requests of some exchanges have none.
   */
  adsets: Intersection | null | undefined;
}

/** Groups the creative formats that fit an imp by format and floor. */
export function shortlist(imp: ParsedImp, { byFormat }: Snapshot): Shortlist {
  const { slots, reason } = fittingFormats(imp, byFormat);
  const groups: FormatGroup[] = [];
  for (const slot of slots) {
    const { formatKey: format, creativeFormat } = slot;
    const floorCpmMicros = floorOf(imp, creativeFormat);
    const group = groups.find((one) => one.format === format && one.floorCpmMicros === floorCpmMicros);
    if (group) group.slots.push(slot);
    else groups.push({ format, floorCpmMicros, slots: [slot] });
  }
  return { groups, reason };
}

/** The no-bid reason of an imp whose groups have no ad set that targets the request, or only ones with insecure URLs. */
export function mismatchOf(
  groups: readonly FormatGroup[],
  { profile, nowMs }: Reach,
  { matcher, candidates }: Snapshot,
): NoBidReason {
  const adsets = createBitset(candidates.length);
  for (const { slots } of groups) for (const slot of slots) union(adsets, slot.adsets);
  return matcher.narrow(adsets, profile, nowMs) ?? 'insecure_address';
}
