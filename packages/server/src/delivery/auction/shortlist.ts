import type { Audience } from '../matching/audience.ts';
import { bitsFor, join } from '../matching/bits.ts';
import type { ParsedImp } from '../openrtb/request.ts';
import type { Shape, ShapeSlot, Snapshot } from '../snapshot/types.ts';
import type { AuctionContext } from './auction.ts';
import { fittingShapes } from './formats.ts';
import type { Bidders } from './highest-bidder.ts';
import type { NoBidReason } from './reasons.ts';
import { further } from './reasons.ts';

/** Who would bid on an imp, by the type of creative; and how far those came that would not. */
export interface Shortlist {
  groups: Bidders<ReadonlySet<Shape>>[];
  reason: NoBidReason;
}

/** Finds the ad sets whose creatives fit the imp and whose targeting fits the request. */
export function shortlist(
  imp: ParsedImp,
  audience: Audience,
  { byShape, candidates, matcher }: Snapshot,
  { nowMs, judgement }: Pick<AuctionContext, 'nowMs' | 'judgement'>,
): Shortlist {
  const { slots, reason: unfit } = fittingShapes(imp, byShape);
  const groups: Bidders<ReadonlySet<Shape>>[] = [];
  let reason = unfit;
  for (const [type, ofType] of byType(slots)) {
    const fitting = bitsFor(candidates.length);
    for (const { adsets } of ofType) join(fitting, adsets);
    const mismatch = matcher.narrow(fitting, audience, nowMs);
    if (mismatch) reason = further(reason, mismatch);
    else {
      const shapes = new Set(ofType.map(({ shape }) => shape));
      groups.push({ candidates, fitting, entry: shapes, outlook: judgement.outlook(type) });
    }
  }
  return { groups, reason };
}

function byType(slots: readonly ShapeSlot[]): Map<Shape['type'], ShapeSlot[]> {
  const types = new Map<Shape['type'], ShapeSlot[]>();
  for (const slot of slots) {
    const { type } = slot.shape;
    const ofType = types.get(type);
    if (ofType) ofType.push(slot);
    else types.set(type, [slot]);
  }
  return types;
}
