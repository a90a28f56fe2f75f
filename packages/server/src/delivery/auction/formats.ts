import type { ParsedImp } from '../model/bid-request.ts';
import type { FormatIndex, FormatAdsets } from '../snapshot/snapshot.ts';
import type { CreativeFormat } from '../model/candidate.ts';
import { bannerNoBidReason } from './fit-banner.ts';
import { nativeNoBidReason } from './fit-native.ts';
import { playableNoBidReason } from './fit-playable.ts';
import { videoNoBidReason } from './fit-video.ts';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import { further } from '../model/further-reason.ts';

/** Creative formats that an imp accepts. `reason` is the latest no-bid reason among those it does not. */
export interface Fitting {
  slots: readonly FormatAdsets[];
  reason: NoBidReason;
}

const checks: Record<
  CreativeFormat['type'],
  (imp: ParsedImp, creativeFormat: CreativeFormat) => NoBidReason | null
> = {
  Banner: bannerNoBidReason,
  Video: videoNoBidReason,
  Playable: playableNoBidReason,
  Native: nativeNoBidReason,
};

/** Creative types for rewarded imps: the user watches or plays until the reward is earned. */
const rewarding: readonly CreativeFormat['type'][] = ['Video', 'Playable'];

/** The no-bid reason of a creative format for an imp; null if it fits. */
export function formatNoBidReason(imp: ParsedImp, creativeFormat: CreativeFormat): NoBidReason | null {
  const { type } = creativeFormat;
  return checks[type](imp, creativeFormat) ?? (imp.rewarded && !rewarding.includes(type) ? 'rewarded' : null);
}

/** Checks every creative format in the snapshot against an imp: format, size, type, duration, blocks. */
export function fittingFormats(imp: ParsedImp, byFormat: FormatIndex): Fitting {
  const slots: FormatAdsets[] = [];
  let reason: NoBidReason = 'no_matching_format';
  const add = (type: CreativeFormat['type']): void => {
    for (const slot of byFormat[type]) {
      const rejection = formatNoBidReason(imp, slot.creativeFormat);
      if (rejection) reason = further(reason, rejection);
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
