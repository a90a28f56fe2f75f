import { formatKeyOf } from '../learning/format-key.ts';
import type { RequestProfile } from '../matching/request-profile.ts';
import type { Bitset } from '../model/bitset.ts';
import { subtract, isEmpty, union, intersect } from '../model/bitset.ts';
import type { Micros } from '@bidwell/contract/money';
import type { ParsedImp } from '../model/bid-request.ts';
import type { FormatAdsets, Snapshot } from '../snapshot/snapshot.ts';
import { floorOf } from './floor.ts';
import { fittingFormats } from './formats.ts';
import type { Bidders } from './highest-bidder.ts';
import type { Valuation } from '../model/valuation.ts';
import type { NoBidReason } from '../model/no-bid-reasons.ts';
import { further } from '../model/no-bid-reasons.ts';

/** Ad sets that may bid on an imp, grouped by format and floor. `reason` is the no-bid reason if none does. */
export interface Shortlist {
  groups: Bidders[];
  reason: NoBidReason;
}

/** A request with the ad sets that target it. */
export interface Reach {
  profile: RequestProfile;
  nowMs: number;
  /**
   * Ad sets whose targeting fits, regardless of their creatives. Null until an imp has a format of ours: most requests of
   * some exchanges have none.
   */
  adsets: Bitset | null;
}

/** Shortlists the ad sets that target a request and have creatives that fit an imp. */
export function shortlist(
  imp: ParsedImp,
  reach: Reach,
  { byFormat, candidates, matcher, insecure }: Snapshot,
  valuation: Valuation,
): Shortlist {
  const { slots, reason } = fittingFormats(imp, byFormat);
  const groups: Bidders[] = [];
  if (slots.length === 0) return { groups, reason };
  const targeting = (reach.adsets ??= matcher.fitting(reach.profile, reach.nowMs));
  let isInsecure = false;
  for (const { format, floorCpmMicros, slots: sameFormat } of groupByFormatKey(slots, imp)) {
    const fitting = adsetsOf(sameFormat);
    intersect(fitting, targeting);
    if (isEmpty(fitting)) continue;
    if (imp.secure) subtract(fitting, insecure);
    if (isEmpty(fitting)) {
      isInsecure = true;
      continue;
    }
    const creativeFormats = new Set(sameFormat.map(({ creativeFormat }) => creativeFormat));
    groups.push({
      candidates,
      fitting,
      creativeFormats,
      floorCpmMicros,
      prediction: valuation.predict(format),
    });
  }
  if (groups.length > 0) return { groups, reason };
  if (isInsecure) return { groups, reason: further(reason, 'insecure_address') };
  const mismatch = matcher.narrow(adsetsOf(slots), reach.profile, reach.nowMs);
  return { groups, reason: mismatch ? further(reason, mismatch) : reason };
}

/** Union of the ad sets of slots, at least one. */
function adsetsOf([first, ...others]: readonly FormatAdsets[]): Bitset {
  const bits = first!.adsets.slice();
  for (const { adsets } of others) union(bits, adsets);
  return bits;
}

/** Slots with the same format, and so the same predictions, and the same floor. */
interface FormatGroup {
  format: string;
  floorCpmMicros: Micros;
  slots: FormatAdsets[];
}

function groupByFormatKey(slots: readonly FormatAdsets[], imp: ParsedImp): Iterable<FormatGroup> {
  const groups = new Map<string, FormatGroup>();
  for (const slot of slots) {
    const format = formatKeyOf(slot.creativeFormat);
    const floorCpmMicros = floorOf(imp, slot.creativeFormat);
    const key = floorCpmMicros === imp.floorCpmMicros ? format : `${format} ${floorCpmMicros}`;
    const sameFormat = groups.get(key);
    if (sameFormat) sameFormat.slots.push(slot);
    else groups.set(key, { format, floorCpmMicros, slots: [slot] });
  }
  return groups.values();
}
