import type { Micros } from '@bidwell/contract/lib/money';
import type { ParsedImp } from '../model/bid-request.ts';
import type { CreativeFormat } from '../model/candidate.ts';

/**
 * Floor of an imp for creatives of a creative format, micros per thousand. For a video it depends on the duration (OpenRTB 2.6,
 * 3.2.7 `mincpmpersec` and `durfloors`): a matching entry of `durfloors` replaces the imp's floor (the highest of several
 * matching entries), and `mincpmpersec` times the duration is a further minimum.
 */
export function floorOf(
  { floorCpmMicros, video }: ParsedImp,
  { type, durationSeconds }: CreativeFormat,
): Micros {
  if (type !== 'Video' || !video) return floorCpmMicros;
  let own: Micros | null = null;
  for (const floor of video.durationFloors) {
    if (durationSeconds < floor.secondsMin || durationSeconds > floor.secondsMax) continue;
    own = Math.max(own ?? 0, floor.floorCpmMicros);
  }
  return Math.max(own ?? floorCpmMicros, video.floorPerSecondCpmMicros * durationSeconds);
}
