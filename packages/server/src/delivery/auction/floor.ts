import type { Micros } from '@bidwell/contract/money';
import type { ParsedImp } from '../model/bid-request.ts';
import type { Shape } from '../model/candidate.ts';

/**
 * The least that a bid with a creative of a shape may be, micros per thousand. Of a video in a pod it depends on the length
 * (OpenRTB 2.6, 3.2.7 `mincpmpersec` and `durfloors`): the floor of its range takes the place of the imp's, and of several
 * ranges that hold it the highest floor does.
 */
export function floorOf({ floorCpmMicros, video }: ParsedImp, { type, durationSeconds }: Shape): Micros {
  if (type !== 'Video' || !video) return floorCpmMicros;
  let own: Micros | null = null;
  for (const floor of video.durationFloors) {
    if (durationSeconds < floor.secondsMin || durationSeconds > floor.secondsMax) continue;
    own = Math.max(own ?? 0, floor.floorCpmMicros);
  }
  return Math.max(own ?? floorCpmMicros, video.floorPerSecondCpmMicros * durationSeconds);
}
