import { brandMessages } from '@bidwell/contract/text/brand-messages';
import { limits } from '@bidwell/contract/lib/limits';
import { createHash } from 'node:crypto';
import type { LogoRow } from '../../../platform/brand/brand-store.ts';
import { Invalid, TooLarge } from '../../../platform/errors.ts';
import { type ImageLibrary, workOnImage } from '../../../platform/files/images.ts';

/** Pixel formats. SVG and PDF, which the library also reads, can contain scripts and references. */
const FORMATS = new Set(['png', 'jpeg', 'webp']);
const SIDE_MIN_PX = 32;
const ASPECT_MAX = 8;
/** The largest form that is shown, at two pixels for each of the screen. */
const SCREEN = { width: 512, height: 128 };
const ICON_PX = 128;
/** For a width of two inches at 300 pixels each. */
const PRINT = { width: 600, height: 200 };
/** Whose turn it is in the queue of images. */
const OWNER = 'operators';
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };

/**
 * Decodes a logo and makes its forms, which have nothing but pixels. Throws Invalid on `image`; TooLarge; RateLimited and Unavailable as
 * {@link workOnImage}.
 */
export async function logoImages(content: Buffer, signal: AbortSignal): Promise<LogoRow> {
  if (content.length > limits.logoBytesMax) throw new TooLarge(brandMessages.logoTooLarge);
  return workOnImage(OWNER, async (open) => formsOf(open, content), signal);
}

async function formsOf(open: ImageLibrary, content: Buffer): Promise<LogoRow> {
  const original = () => open(content, { limitInputPixels: limits.imagePixelsMax }).autoOrient();
  await checkImage(open, content);
  try {
    const inside = { fit: 'inside', withoutEnlargement: true } as const;
    const { data: screen, info } = await original()
      .resize({ ...SCREEN, ...inside })
      .png()
      .toBuffer({ resolveWithObject: true });
    const icon = await original()
      .resize({ width: ICON_PX, height: ICON_PX, fit: 'contain', background: CLEAR })
      .png()
      .toBuffer();
    const print = await original()
      .resize({ ...PRINT, ...inside })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .png()
      .toBuffer();
    const sha256 = createHash('sha256').update(screen).digest('hex');
    return { sha256, width: info.width, height: info.height, screen, icon, print };
  } catch {
    throw rejected(brandMessages.logoType);
  }
}

/** Throws Invalid for what is no image of a known format, and for one that is too small, too narrow or too large to decode. */
async function checkImage(open: ImageLibrary, content: Buffer): Promise<void> {
  const { format, autoOrient } = await metadataOf(open, content).catch(() => {
    throw rejected(brandMessages.logoType);
  });
  if (!FORMATS.has(format)) throw rejected(brandMessages.logoType);
  const { width, height } = autoOrient;
  if (Math.min(width, height) < SIDE_MIN_PX) throw rejected(brandMessages.logoSize(SIDE_MIN_PX));
  if (height > width || width > ASPECT_MAX * height) throw rejected(brandMessages.logoShape);
}

/** Async, as the library throws at once for no bytes. */
async function metadataOf(open: ImageLibrary, content: Buffer) {
  return open(content, { limitInputPixels: limits.imagePixelsMax }).metadata();
}

const rejected = (message: string) => new Invalid([{ field: 'image', message }]);
