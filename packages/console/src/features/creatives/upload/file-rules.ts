import type { BannerResolutions, CreativeType, Resolution } from '@bidwell/contract/creatives/schema';
import { type CreativeFileKind, fileExtensions, fileMessages } from '@bidwell/contract/creatives/files';
import { limits } from '@bidwell/contract/lib/limits';
import { creativeMessages } from '@bidwell/contract/creatives/messages';

/** Properties of a selected file before the upload. */
export interface FileProperties {
  name: string;
  sizeBytes: number;
  /** Pixels; null when the browser cannot read them. */
  size: Resolution | null;
}

const bytesMax: Record<CreativeFileKind, number> = {
  Banner: limits.bannerBytesMax,
  Native: limits.bannerBytesMax,
  Playable: limits.playableBytesMax,
  Video: limits.videoBytesMax,
  EndCard: limits.bannerBytesMax,
};

/** The reason why a file is not accepted; null when it is. Pure. */
export function fileError(
  type: CreativeFileKind,
  { name, sizeBytes, size }: FileProperties,
  resolutions: BannerResolutions,
): string | null {
  if (!fileExtensions[type].some((ending) => name.toLowerCase().endsWith(ending)))
    return fileMessages.wrongType(type);
  if (sizeBytes === 0) return fileMessages.empty;
  if (sizeBytes > bytesMax[type]) return fileMessages.tooLarge(name, bytesMax[type]);
  if (type === 'Playable') return null;
  // A video that this browser cannot decode may still be valid for the server.
  if (size === null) return type === 'Video' ? null : fileMessages.imageDamaged;
  const { width, height } = size;
  if (type === 'Video') return width === height ? creativeMessages.wrongVideoSize(width, height) : null;
  if (type === 'EndCard') return width === height ? creativeMessages.wrongBannerSize(width, height) : null;
  const { native_banners: native, ...banners } = resolutions;
  const allowed = type === 'Native' ? native : Object.values(banners).flat();
  return allowed.some((one) => one.width === width && one.height === height)
    ? null
    : creativeMessages.wrongBannerSize(width, height);
}

/** The message when the app has the maximum number of creatives of the type; null below it. */
export function countError(type: CreativeType, before: number): string | null {
  const max = type === 'Video' ? limits.videosPerType : limits.bannersPerType;
  if (before < max) return null;
  return type === 'Video' ? creativeMessages.videoLimit : creativeMessages.bannerLimit;
}
