import type { CreativeType } from '@bidwell/contract/creative';
import { bannerResolutions, isBannerSize } from '@bidwell/contract/creative';
import { limits } from '@bidwell/contract/limits';
import { messages } from '@bidwell/contract/messages';
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { Invalid } from '../../platform/errors.ts';

/** The file fields of an upload, by the type of creative they make. */
export const fileFieldOf: Partial<Record<CreativeType, 'banner' | 'playable'>> = {
  Banner: 'banner',
  Native: 'banner',
  Playable: 'playable',
};

/** Bytes that a file field may have. */
export const bytesMaxOf = { banner: limits.bannerBytesMax, playable: limits.playableBytesMax } as const;

/** What a file turned out to be, whatever its name says. */
export interface Inspected {
  contentType: string;
  extension: string;
  width: number | null;
  height: number | null;
}

const imageTypes: Record<string, Pick<Inspected, 'contentType' | 'extension'>> = {
  png: { contentType: 'image/png', extension: 'png' },
  jpeg: { contentType: 'image/jpeg', extension: 'jpg' },
  gif: { contentType: 'image/gif', extension: 'gif' },
};

/**
 * Looks into an uploaded file (specification, section 5, Creative files). Images are decoded whole, so that a truncated
 * or mislabelled one is found out. Throws Invalid on the file's field.
 */
export async function inspectFile(type: CreativeType, path: string): Promise<Inspected> {
  return type === 'Playable' ? inspectPlayable(path) : inspectImage(type, path);
}

async function inspectImage(type: CreativeType, path: string): Promise<Inspected> {
  const { format, width, height } = await decode(path);
  const kind = imageTypes[format];
  if (!kind || (format === 'gif' && type !== 'Native')) throw wrongType();
  const allowed = type === 'Native' ? isNativeSize(width, height) : isBannerSize(width, height);
  if (!allowed) throw new Invalid([{ field: 'banner', message: messages.wrongBannerSize(width, height) }]);
  return { ...kind, width, height };
}

async function decode(path: string): Promise<{ format: string; width: number; height: number }> {
  try {
    const image = sharp(path, { limitInputPixels: 20_000_000, failOn: 'warning' });
    const { format, width, height } = await image.metadata();
    if (format in imageTypes) await image.stats();
    return { format, width, height };
  } catch {
    throw wrongType();
  }
}

function isNativeSize(width: number, height: number): boolean {
  return bannerResolutions.native_banners.some((size) => size.width === width && size.height === height);
}

async function inspectPlayable(path: string): Promise<Inspected> {
  const head = (await readFile(path)).subarray(0, 4096).toString('utf8');
  if (!/<(!doctype html|html|head|body|script|div|canvas)\b/i.test(head) || head.includes('\0')) {
    throw new Invalid([{ field: 'playable', message: messages.invalidFileType }]);
  }
  return { contentType: 'text/html; charset=utf-8', extension: 'html', width: null, height: null };
}

function wrongType(): Invalid {
  return new Invalid([{ field: 'banner', message: messages.invalidFileType }]);
}
