import type { CreativeType } from '@bidwell/contract/creatives/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { inspectImage } from './inspect-image.ts';
import { inspectPlayable } from './inspect-playable.ts';
import { inspectVideo } from './inspect-video.ts';
import type { FileField, Inspected, Uploader } from './inspected.ts';

/** File fields of an upload, by type of creative. A video's `banner` is its end card. */
export const fileFieldsOf: Record<CreativeType, readonly FileField[]> = {
  Banner: ['banner'],
  Native: ['banner'],
  Playable: ['playable'],
  Video: ['video', 'banner'],
};

/** Maximum size of each file field, in bytes. */
export const bytesMaxOf: Record<FileField, number> = {
  banner: limits.bannerBytesMax,
  video: limits.videoBytesMax,
  playable: limits.playableBytesMax,
};

/**
 * Determines type and measures of an uploaded file from its content. Throws Invalid on the file's field;
 * RateLimited and Unavailable if too many files are waiting.
 */
export async function inspectFile(
  by: Uploader,
  type: CreativeType,
  field: FileField,
  path: string,
): Promise<Inspected> {
  if (field === 'playable') return inspectPlayable(by, path);
  if (field === 'video') return inspectVideo(by, path);
  return inspectImage(by, type, path);
}
