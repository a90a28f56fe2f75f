import type { BannerResolutions, CreativeType, Resolution } from '@bidwell/contract/creative';
import { limits } from '@bidwell/contract/limits';
import { messages } from '@bidwell/contract/messages';

/** What is known of a chosen file before it is sent. */
export interface FileFacts {
  name: string;
  sizeBytes: number;
  /** Pixels; null where they cannot be read in the browser. */
  size: Resolution | null;
}

const extensions: Record<CreativeType | 'EndCard', RegExp> = {
  Banner: /\.(jpe?g|png)$/i,
  Native: /\.(jpe?g|png|gif)$/i,
  Playable: /\.html$/i,
  Video: /\.(mp4|mov)$/i,
  EndCard: /\.(jpe?g|png)$/i,
};

const bytesMax: Record<CreativeType | 'EndCard', number> = {
  Banner: limits.bannerBytesMax,
  Native: limits.bannerBytesMax,
  Playable: limits.playableBytesMax,
  Video: limits.videoBytesMax,
  EndCard: limits.bannerBytesMax,
};

/** What speaks against a file, in the specification's words (section 5, Creative files); null when nothing does. Pure. */
export function faultOfFile(
  type: CreativeType | 'EndCard',
  { name, sizeBytes, size }: FileFacts,
  resolutions: BannerResolutions,
): string | null {
  if (!extensions[type].test(name) || sizeBytes === 0) return messages.invalidFileType;
  if (sizeBytes > bytesMax[type]) return `"${name}" is larger than ${bytesMax[type] / 1024 / 1024} MB`;
  if (type === 'Playable') return null;
  // A video that this browser cannot open may still be one that the server can.
  if (size === null) return type === 'Video' ? null : messages.invalidFileType;
  const { width, height } = size;
  if (type === 'Video') return width === height ? messages.wrongVideoSize(width, height) : null;
  if (type === 'EndCard') return width === height ? messages.wrongBannerSize(width, height) : null;
  const { native_banners: native, ...banners } = resolutions;
  const allowed = type === 'Native' ? native : Object.values(banners).flat();
  return allowed.some((one) => one.width === width && one.height === height)
    ? null
    : messages.wrongBannerSize(width, height);
}

/** What is said to a file for which the app has no room left: at most 20 of each type (section 9). Null when it has. */
export function faultOfCount(type: CreativeType, before: number): string | null {
  const max = type === 'Video' ? limits.videosPerType : limits.bannersPerType;
  if (before < max) return null;
  return type === 'Video' ? messages.videoLimit : messages.bannerLimit;
}
