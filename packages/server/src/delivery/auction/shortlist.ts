import { formatOf } from '../learning/format.ts';
import type { Audience } from '../matching/audience.ts';
import type { Bits } from '../model/bitset.ts';
import { drop, isEmpty, join, keep } from '../model/bitset.ts';
import type { Micros } from '@bidwell/contract/money';
import type { ParsedImp } from '../model/bid-request.ts';
import type { ShapeSlot, Snapshot } from '../snapshot/snapshot.ts';
import { floorOf } from './floor.ts';
import { fittingShapes } from './formats.ts';
import type { Bidders } from './highest-bidder.ts';
import type { Judgement } from '../model/valuation.ts';
import type { NoBidReason } from '../model/no-bid-reasons.ts';
import { further } from '../model/no-bid-reasons.ts';

/** Ad sets that may bid on an imp, grouped by format and floor. `reason` is the no-bid reason if none does. */
export interface Shortlist {
  groups: Bidders[];
  reason: NoBidReason;
}

/** A request with the ad sets that target it. */
export interface Reach {
  audience: Audience;
  nowMs: number;
  /** Ad sets whose targeting fits, regardless of their creatives. */
  adsets: Bits;
}

/** Finds the ad sets whose targeting fits a request, once for all its imps. */
export function reachOf({ matcher }: Snapshot, audience: Audience, nowMs: number): Reach {
  return { audience, nowMs, adsets: matcher.fitting(audience, nowMs) };
}

/** Narrows the ad sets in `reach` to those whose creatives fit an imp. */
export function shortlist(
  imp: ParsedImp,
  reach: Reach,
  { byShape, candidates, matcher, insecure }: Snapshot,
  judgement: Judgement,
): Shortlist {
  const { slots, reason } = fittingShapes(imp, byShape);
  const groups: Bidders[] = [];
  let isInsecure = false;
  for (const { format, floorCpmMicros, slots: alike } of alikeSlots(slots, imp)) {
    const fitting = adsetsOf(alike);
    keep(fitting, reach.adsets);
    if (isEmpty(fitting)) continue;
    if (imp.secure) drop(fitting, insecure);
    if (isEmpty(fitting)) {
      isInsecure = true;
      continue;
    }
    const shapes = new Set(alike.map(({ shape }) => shape));
    groups.push({ candidates, fitting, shapes, floorCpmMicros, outlook: judgement.outlook(format) });
  }
  if (groups.length > 0 || slots.length === 0) return { groups, reason };
  if (isInsecure) return { groups, reason: further(reason, 'insecure_address') };
  const mismatch = matcher.narrow(adsetsOf(slots), reach.audience, reach.nowMs);
  return { groups, reason: mismatch ? further(reason, mismatch) : reason };
}

/** Union of the ad sets of slots, at least one. */
function adsetsOf([first, ...others]: readonly ShapeSlot[]): Bits {
  const bits = first!.adsets.slice();
  for (const { adsets } of others) join(bits, adsets);
  return bits;
}

/** Slots with the same format, and so the same predictions, and the same floor. */
interface AlikeSlots {
  format: string;
  floorCpmMicros: Micros;
  slots: ShapeSlot[];
}

function alikeSlots(slots: readonly ShapeSlot[], imp: ParsedImp): Iterable<AlikeSlots> {
  const groups = new Map<string, AlikeSlots>();
  for (const slot of slots) {
    const format = formatOf(slot.shape);
    const floorCpmMicros = floorOf(imp, slot.shape);
    const key = floorCpmMicros === imp.floorCpmMicros ? format : `${format} ${floorCpmMicros}`;
    const alike = groups.get(key);
    if (alike) alike.slots.push(slot);
    else groups.set(key, { format, floorCpmMicros, slots: [slot] });
  }
  return groups.values();
}
