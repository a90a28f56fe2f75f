import { type CreativeType, bannerResolutions, isBannerSize } from '@bidwell/contract/creatives/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { type FileField, type Inspected, type Uploader, rejectedFile } from './inspected-file.ts';
import { fileMessages } from '@bidwell/contract/creatives/files';
import { creativeApiMessages } from '@bidwell/contract/creatives/api-messages';
import { creativeMessages } from '@bidwell/contract/creatives/messages';
import { type ImageLibrary, workOnImage } from '../../../../platform/files/images.ts';
import { inspectInWorker } from './media-worker-pool.ts';
import type { Readings } from './media-worker.ts';
import { type FileHandle, open } from 'node:fs/promises';

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

const kinds = new Map<string, Pick<Inspected, 'contentType' | 'extension'>>(
  Object.entries({
    png: { contentType: 'image/png', extension: 'png' },
    jpeg: { contentType: 'image/jpeg', extension: 'jpg' },
    gif: { contentType: 'image/gif', extension: 'gif' },
  }),
);

/**
 * Inspects the image of a banner or native creative, or a video's end card. Decodes it completely, to detect
 * truncated files. Width and height are as displayed. Throws Invalid on `banner`; RateLimited and
 * Unavailable as {@link workOnImage}.
 */
async function inspectImage(by: Uploader, type: CreativeType, path: string): Promise<Inspected> {
  const { format, width, height } = await decode(by, type, path);
  const kind = kinds.get(format)!;
  if (!isAllowed(type, width, height))
    throw rejectedFile('banner', creativeMessages.wrongBannerSize(width, height));
  return { ...kind, width, height, durationMs: null, externalLoads: null, exits: null };
}

function isAllowed(type: CreativeType, width: number, height: number): boolean {
  if (type === 'Video') return width !== height && [width, height].every(fitsEndCard);
  if (type === 'Native') return isNativeSize(width, height);
  return isBannerSize(width, height);
}

function fitsEndCard(sidePx: number): boolean {
  return sidePx >= limits.endCardSidePxMin && sidePx <= limits.endCardSidePxMax;
}

function isNativeSize(width: number, height: number): boolean {
  return bannerResolutions.native_banners.some((size) => size.width === width && size.height === height);
}

async function decode(
  { companyId, signal }: Uploader,
  type: CreativeType,
  path: string,
): Promise<{ format: string; width: number; height: number }> {
  const rejectedType = rejectedFile('banner', fileMessages.wrongType(type === 'Video' ? 'EndCard' : type));
  const read = async (openImage: ImageLibrary) => {
    const image = openImage(path, { limitInputPixels: limits.imagePixelsMax });
    const { format, autoOrient } = await image.metadata().catch((error: unknown) => {
      throw isOfTooManyPixels(error) ? rejectedFile('banner', fileMessages.imagePixels) : rejectedType;
    });
    if (!kinds.has(format) || (format === 'gif' && type !== 'Native')) throw rejectedType;
    await image.stats().catch(() => {
      throw rejectedFile('banner', fileMessages.imageDamaged);
    });
    return { format, ...autoOrient };
  };
  return workOnImage(companyId, read, signal);
}

function isOfTooManyPixels(error: unknown): boolean {
  return error instanceof Error && error.message.includes('pixel limit');
}

/**
 * Inspects a playable: one HTML page in UTF-8. Lists its external resources and its exits, of
 * which it needs one. Throws Invalid on `playable`; RateLimited and
 * Unavailable as {@link inspectInWorker}.
 */
async function inspectPlayable(by: Uploader, path: string): Promise<Inspected> {
  const read = await inspectInWorker(by, 'playable', path);
  if (!read) throw rejectedFile('playable', fileMessages.notAPage);
  if (read.exits.length === 0) throw rejectedFile('playable', fileMessages.noExit);
  return {
    contentType: 'text/html; charset=utf-8',
    extension: 'html',
    width: null,
    height: null,
    durationMs: null,
    ...read,
  };
}

/**
 * Inspects a video: mp4 or mov, complete, not square, of bounded size and duration. Width and height are as
 * displayed, after rotation. Throws Invalid on `video`; RateLimited and Unavailable as {@link inspectInWorker}.
 */
async function inspectVideo(by: Uploader, path: string): Promise<Inspected> {
  const rejected = (message: string) => rejectedFile('video', message);
  const facts = (await isWholeMp4(path)) ? await inspectInWorker(by, 'video', path) : null;
  if (!facts || !isMeasured(facts)) throw rejected(fileMessages.notAVideo);
  const { isQuickTime, codec, width, height, durationMs } = facts;
  if (codec !== 'avc' && codec !== 'hevc') throw rejected(creativeApiMessages.videoCodec);
  if (width === height || !isSide(width) || !isSide(height))
    throw rejected(creativeMessages.wrongVideoSize(width, height));
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

/** Most top-level boxes of a file. A fragmented file has two for each fragment. */
const BOXES_MAX = 5000;
/** Most bytes of index boxes, which parsers hold in memory. Two minutes of video and sound need well below a megabyte. */
const INDEX_BYTES_MAX = 8 * 1024 * 1024;
const indexTypes = new Set(['moov', 'moof', 'sidx', 'mfra']);

/**
 * Whether a file consists of ISO base media boxes (ISO 14496-12, 4.2) that fill it exactly, with an index of bounded
 * size. Detects truncation, which the index alone does not show.
 */
async function isWholeMp4(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { size: fileBytes } = await file.stat();
    const types: string[] = [];
    let indexBytes = 0;
    for (let at = 0; at < fileBytes && types.length <= BOXES_MAX;) {
      const box = await boxAt(file, at, fileBytes);
      if (!box || at + box.bytes > fileBytes) return false;
      types.push(box.type);
      if (indexTypes.has(box.type)) indexBytes += box.bytes;
      at += box.bytes;
    }
    // Old QuickTime files have no `ftyp` box.
    const begins = types[0] === 'ftyp' || types.includes('mdat');
    return begins && types.includes('moov') && types.length <= BOXES_MAX && indexBytes <= INDEX_BYTES_MAX;
  } finally {
    await file.close();
  }
}

/** Reads the header of the box at offset `at`; null if it is not valid. */
async function boxAt(
  file: FileHandle,
  at: number,
  fileBytes: number,
): Promise<{ type: string; bytes: number } | null> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, at);
  if (bytesRead < 8) return null;
  const type = buffer.toString('latin1', 4, 8);
  const short = buffer.readUInt32BE(0);
  // Size 0: the box extends to the end of the file. Size 1: the next eight bytes contain the size.
  if (short === 0) return { type, bytes: fileBytes - at };
  if (short !== 1) return short < 8 ? null : { type, bytes: short };
  if (bytesRead < 16) return null;
  const bytes = Number(buffer.readBigUInt64BE(8));
  return bytes < 16 ? null : { type, bytes };
}
