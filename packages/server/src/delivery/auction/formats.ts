import type { ParsedImp } from '../openrtb/request.ts';
import type { Shape, ShapeIndex, ShapeSlot } from '../snapshot/types.ts';
import { bannerRefusal } from './fit-banner.ts';
import type { NoBidReason } from './reasons.ts';
import { further } from './reasons.ts';

/** The shapes of creative that an imp takes; where none fits, how far the one came that came furthest. */
export interface Fitting {
  slots: readonly ShapeSlot[];
  reason: NoBidReason;
}

/** Holds every shape that there is against an imp: format, size, type, length, placement, what is blocked. */
export function fittingShapes(imp: ParsedImp, { Banner }: ShapeIndex): Fitting {
  const slots: ShapeSlot[] = [];
  let reason: NoBidReason = 'no_matching_format';
  const add = (
    ofType: readonly ShapeSlot[],
    refusal: (imp: ParsedImp, shape: Shape) => NoBidReason | null,
  ) => {
    for (const slot of ofType) {
      const refused = refusal(imp, slot.shape);
      if (refused) reason = further(reason, refused);
      else slots.push(slot);
    }
  };
  if (imp.banner) add(Banner, bannerRefusal);
  return { slots, reason };
}
