import { fileMessages } from '@bidwell/contract/creatives/files';
import { type CreativeType, bannerResolutions, isBannerSize } from '@bidwell/contract/creatives/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { messages } from '@bidwell/contract/text/messages';
import { type ImageLibrary, workOnImage } from '../../../../platform/files/images.ts';
import { type Inspected, type Uploader, rejectedFile } from './inspected.ts';

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
export async function inspectImage(by: Uploader, type: CreativeType, path: string): Promise<Inspected> {
  const { format, width, height } = await decode(by, type, path);
  const kind = kinds.get(format)!;
  if (!isAllowed(type, width, height)) throw rejectedFile('banner', messages.wrongBannerSize(width, height));
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
  const read = async (open: ImageLibrary) => {
    const image = open(path, { limitInputPixels: limits.imagePixelsMax });
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
