import { vastVersion } from '../model/vast-version.ts';
import type { ParsedImp, ParsedVideo } from '../model/bid-request.ts';
import type { Shape } from '../model/candidate.ts';
import type { NoBidReason } from '../model/no-bid-reasons.ts';

/** AdCOM 1.0, "Delivery Methods": a file that plays while it loads, and one that is loaded first. */
const DELIVERIES = [2, 3];
/** How much the ratio of a video may differ from its place's where no bars may be shown. */
const RATIO_TOLERANCE = 0.02;

/** Why an imp does not take videos of a shape; null when it does. */
export function videoRefusal({ video }: ParsedImp, shape: Shape): NoBidReason | null {
  if (!video) return 'no_matching_format';
  if (!video.linear) return 'not_linear';
  if (vastVersion(video.protocols) === null) return 'protocol_not_accepted';
  if (video.deliveries.length > 0 && !DELIVERIES.some((own) => video.deliveries.includes(own)))
    return 'delivery_not_accepted';
  if (video.mimes.length > 0 && !video.mimes.includes(shape.contentType)) return 'mime_not_accepted';
  if (!durationFits(video, shape.durationSeconds)) return 'video_duration';
  if (shape.bitrateKbps < video.kbpsMin || shape.bitrateKbps > video.kbpsMax) return 'video_bitrate';
  return ratioFits(video, shape) ? null : 'video_orientation';
}

function durationFits(
  { exactSeconds, secondsMin, secondsMax, podSeconds }: ParsedVideo,
  seconds: number,
): boolean {
  if (podSeconds !== null && seconds > podSeconds) return false;
  return exactSeconds.length > 0
    ? exactSeconds.includes(seconds)
    : seconds >= secondsMin && seconds <= secondsMax;
}

/** A full screen is not to be turned; where bars may not be shown, the ratio has to be the place's. */
function ratioFits({ size, boxing, fullScreen }: ParsedVideo, { width, height }: Shape): boolean {
  if (!size) return true;
  if (!boxing) return Math.abs((width / height) * (size.height / size.width) - 1) <= RATIO_TOLERANCE;
  return !fullScreen || size.width === size.height || width > height === size.width > size.height;
}
