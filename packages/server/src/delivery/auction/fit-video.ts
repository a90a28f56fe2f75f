import { vastVersion } from '../model/vast-version.ts';
import type { ParsedImp, ParsedVideo } from '../model/bid-request.ts';
import type { CreativeFormat } from '../model/candidate.ts';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';

/** AdCOM 1.0, "Delivery Methods": progressive and download. */
const DELIVERIES = [2, 3];
/** Relative tolerance of the aspect ratio where letterboxing is not allowed. */
const RATIO_TOLERANCE = 0.02;

/** No-bid reason if an imp does not accept videos of a creative format; null if it does. */
export function videoNoBidReason(
  { video }: Pick<ParsedImp, 'video'>,
  creativeFormat: CreativeFormat,
): NoBidReason | null {
  if (!video) return 'no_matching_format';
  if (!video.linear) return 'not_linear';
  if (vastVersion(video.protocols) === null) return 'protocol_not_accepted';
  if (video.deliveries.length > 0 && !DELIVERIES.some((own) => video.deliveries.includes(own)))
    return 'delivery_not_accepted';
  if (video.mimes.length > 0 && !video.mimes.includes(creativeFormat.contentType)) return 'mime_not_accepted';
  if (!durationFits(video, creativeFormat.durationSeconds)) return 'video_duration';
  if (creativeFormat.bitrateKbps < video.kbpsMin || creativeFormat.bitrateKbps > video.kbpsMax)
    return 'video_bitrate';
  return ratioFits(video, creativeFormat) ? null : 'video_orientation';
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

/** Full screen requires the same orientation; without letterboxing the aspect ratio has to match. */
function ratioFits({ size, boxing, fullScreen }: ParsedVideo, { width, height }: CreativeFormat): boolean {
  if (!size) return true;
  if (!boxing) return Math.abs((width / height) * (size.height / size.width) - 1) <= RATIO_TOLERANCE;
  return !fullScreen || size.width === size.height || width > height === size.width > size.height;
}
