import type { ParsedImp } from '../model/bid-request.ts';
import type { ShapeIndex, ShapeSlot } from '../snapshot/snapshot.ts';
import type { Shape } from '../model/candidate.ts';
import { bannerRefusal } from './fit-banner.ts';
import { nativeRefusal } from './fit-native.ts';
import { playableRefusal } from './fit-playable.ts';
import { videoRefusal } from './fit-video.ts';
import type { NoBidReason } from '../model/no-bid-reasons.ts';
import { further } from '../model/no-bid-reasons.ts';

/** Shapes that an imp accepts. `reason` is the latest no-bid reason among those it does not. */
export interface Fitting {
  slots: readonly ShapeSlot[];
  reason: NoBidReason;
}

const refusals: Record<Shape['type'], (imp: ParsedImp, shape: Shape) => NoBidReason | null> = {
  Banner: bannerRefusal,
  Video: videoRefusal,
  Playable: playableRefusal,
  Native: nativeRefusal,
};

/** Creative types for rewarded imps: the user watches or plays until the reward is earned. */
const rewarding: readonly Shape['type'][] = ['Video', 'Playable'];

/** Checks every shape in the snapshot against an imp: format, size, type, duration, blocks. */
export function fittingShapes(imp: ParsedImp, byShape: ShapeIndex): Fitting {
  const slots: ShapeSlot[] = [];
  let reason: NoBidReason = 'no_matching_format';
  const add = (type: Shape['type']): void => {
    const refusal = refusals[type];
    for (const slot of byShape[type]) {
      const refused =
        refusal(imp, slot.shape) ?? (imp.rewarded && !rewarding.includes(type) ? 'rewarded' : null);
      if (refused) reason = further(reason, refused);
      else slots.push(slot);
    }
  };
  if (imp.banner) {
    add('Banner');
    add('Playable');
  }
  if (imp.video) add('Video');
  if (imp.native) add('Native');
  return { slots, reason };
}
