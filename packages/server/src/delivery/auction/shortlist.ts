import { formatOf } from '../learning/format.ts';
import type { Audience } from '../matching/audience.ts';
import type { Bits } from '../matching/bits.ts';
import { isEmpty, join, keep } from '../matching/bits.ts';
import type { ParsedImp } from '../openrtb/request.ts';
import type { ShapeSlot, Snapshot } from '../snapshot/types.ts';
import { fittingShapes } from './formats.ts';
import type { Bidders } from './highest-bidder.ts';
import type { Judgement } from './price.ts';
import type { NoBidReason } from './reasons.ts';
import { further } from './reasons.ts';

/** Who would bid on an imp, by the format they would show; and, where nobody would, how far the one came that came furthest. */
export interface Shortlist {
  groups: Bidders[];
  reason: NoBidReason;
}

/** A request, as far as the ad sets' targeting goes. */
export interface Reach {
  audience: Audience;
  nowMs: number;
  /** The ad sets whose targeting fits, whatever they would show. */
  adsets: Bits;
}

/** Finds the ad sets whose targeting fits a request: once for all of its imps. */
export function reachOf({ matcher }: Snapshot, audience: Audience, nowMs: number): Reach {
  return { audience, nowMs, adsets: matcher.fitting(audience, nowMs) };
}

/** Finds those among them whose creatives fit an imp. */
export function shortlist(
  imp: ParsedImp,
  reach: Reach,
  { byShape, candidates, matcher }: Snapshot,
  judgement: Judgement,
): Shortlist {
  const { slots, reason } = fittingShapes(imp, byShape);
  const groups: Bidders[] = [];
  for (const [format, ofFormat] of byFormat(slots)) {
    const fitting = adsetsOf(ofFormat);
    keep(fitting, reach.adsets);
    if (isEmpty(fitting)) continue;
    const shapes = new Set(ofFormat.map(({ shape }) => shape));
    groups.push({ candidates, fitting, shapes, outlook: judgement.outlook(format) });
  }
  if (groups.length > 0 || slots.length === 0) return { groups, reason };
  const mismatch = matcher.narrow(adsetsOf(slots), reach.audience, reach.nowMs);
  return { groups, reason: mismatch ? further(reason, mismatch) : reason };
}

/** The ad sets of one slot or more. */
function adsetsOf([first, ...others]: readonly ShapeSlot[]): Bits {
  const bits = first!.adsets.slice();
  for (const { adsets } of others) join(bits, adsets);
  return bits;
}

function byFormat(slots: readonly ShapeSlot[]): Map<string, ShapeSlot[]> {
  const formats = new Map<string, ShapeSlot[]>();
  for (const slot of slots) {
    const format = formatOf(slot.shape);
    const ofFormat = formats.get(format);
    if (ofFormat) ofFormat.push(slot);
    else formats.set(format, [slot]);
  }
  return formats;
}
