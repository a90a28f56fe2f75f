import { fileMessages } from '@bidwell/contract/creatives/files';
import { limits } from '@bidwell/contract/lib/limits';
import { apiMessages, messages } from '@bidwell/contract/text/messages';
import type { Readings } from './media-worker.ts';
import { type Inspected, type Uploader, rejectedFile } from './inspected.ts';
import { isWholeMp4 } from './mp4-boxes.ts';
import { inspectInWorker } from './media-worker-pool.ts';

/**
 * Inspects a video: mp4 or mov, complete, not square, of bounded size and duration. Width and height are as
 * displayed, after rotation. Throws Invalid on `video`; RateLimited and Unavailable as {@link inspectInWorker}.
 */
export async function inspectVideo(by: Uploader, path: string): Promise<Inspected> {
  const rejected = (message: string) => rejectedFile('video', message);
  const facts = (await isWholeMp4(path)) ? await inspectInWorker(by, 'video', path) : null;
  if (!facts || !isMeasured(facts)) throw rejected(fileMessages.notAVideo);
  const { isQuickTime, codec, width, height, durationMs } = facts;
  if (codec !== 'avc' && codec !== 'hevc') throw rejected(apiMessages.videoCodec);
  if (width === height || !isSide(width) || !isSide(height))
    throw rejected(messages.wrongVideoSize(width, height));
  if (durationMs < limits.videoDurationMsMin || durationMs > limits.videoDurationMsMax)
    throw rejected(
      `A video lasts ${limits.videoDurationMsMin / 1000} to ${limits.videoDurationMsMax / 1000} seconds`,
    );
  const kind = isQuickTime
    ? { contentType: 'video/quicktime', extension: 'mov' }
    : { contentType: 'video/mp4', extension: 'mp4' };
  return { ...kind, width, height, durationMs, externalLoads: null, exits: null };
}

function isMeasured({ width, height, durationMs }: Readings['video']): boolean {
  return [width, height, durationMs].every((value) => Number.isSafeInteger(value) && value > 0);
}

function isSide(px: number): boolean {
  return px >= limits.videoSidePxMin && px <= limits.videoSidePxMax;
}
