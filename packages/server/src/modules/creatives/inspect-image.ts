import type { CreativeType } from '@bidwell/contract/creative';
import { bannerResolutions, isBannerSize } from '@bidwell/contract/creative';
import { limits } from '@bidwell/contract/limits';
import { messages } from '@bidwell/contract/messages';
import { Invalid } from '../../platform/errors.ts';
import type { ImageLibrary } from '../../platform/files/images.ts';
import { workOnImage } from '../../platform/files/images.ts';
import type { Inspected, Uploader } from './inspected.ts';
import { wrongType } from './inspected.ts';

/** Most pixels of an image; larger ones are not decoded. */
export const PIXELS_MAX = 20_000_000;

const kinds = new Map<string, Pick<Inspected, 'contentType' | 'extension'>>(
  Object.entries({
    png: { contentType: 'image/png', extension: 'png' },
    jpeg: { contentType: 'image/jpeg', extension: 'jpg' },
    gif: { contentType: 'image/gif', extension: 'gif' },
  }),
);

/**
 * Inspects the image of a banner or native creative, or a video's end card. Decodes it completely, to detect
 * truncated or mislabelled files. Width and height are as displayed. Throws Invalid on `banner`; RateLimited and
 * Unavailable as {@link workOnImage}.
 */
export async function inspectImage(by: Uploader, type: CreativeType, path: string): Promise<Inspected> {
  const { format, width, height } = await decode(by, path);
  const kind = kinds.get(format);
  if (!kind || (format === 'gif' && type !== 'Native')) throw wrongType('banner');
  if (!isAllowed(type, width, height))
    throw new Invalid([{ field: 'banner', message: messages.wrongBannerSize(width, height) }]);
  return { ...kind, width, height, durationMs: null, externalLoads: null };
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
  path: string,
): Promise<{ format: string; width: number; height: number }> {
  const read = async (open: ImageLibrary) => {
    try {
      const image = open(path, { limitInputPixels: PIXELS_MAX, failOn: 'warning' });
      const { format, autoOrient } = await image.metadata();
      if (kinds.has(format)) await image.stats();
      return { format, ...autoOrient };
    } catch {
      throw wrongType('banner');
    }
  };
  return workOnImage(companyId, read, signal);
}
