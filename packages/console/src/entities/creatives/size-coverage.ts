import type { BannerResolutions, CreativeType } from '@bidwell/contract/creatives/schema';

/** The fields of a creative that coverage is computed from. */
export interface SizedCreative {
  type: CreativeType;
  width: number | null;
  height: number | null;
}

/** The groups of banner resolutions, in display order. */
export const resolutionGroups = [
  { key: 'default_banners', label: 'Small' },
  { key: 'medium_banners', label: 'Medium' },
  { key: 'tablet_banners', label: 'Tablet' },
  { key: 'full_screen_banners', label: 'Full screen' },
  { key: 'native_banners', label: 'Native' },
] as const satisfies readonly { key: keyof BannerResolutions; label: string }[];

export interface GroupCoverage {
  label: string;
  sizes: { width: number; height: number; creatives: number }[];
  /** Number of sizes that have a creative. */
  covered: number;
}

/** Counts the creatives of each size: native images in the native group, banners in the others. Pure. */
export function bannerCoverage(
  resolutions: BannerResolutions,
  creatives: readonly SizedCreative[],
): GroupCoverage[] {
  return resolutionGroups.map(({ key, label }) => {
    const type = key === 'native_banners' ? 'Native' : 'Banner';
    const sizes = resolutions[key].map(({ width, height }) => ({
      width,
      height,
      creatives: creatives.filter((one) => one.type === type && one.width === width && one.height === height)
        .length,
    }));
    return { label, sizes, covered: sizes.filter((size) => size.creatives > 0).length };
  });
}

/** Counts landscape videos and the others, which include square ones. Pure. */
export function videoCoverage(creatives: readonly SizedCreative[]): { landscape: number; portrait: number } {
  const videos = creatives.filter(({ type, width, height }) => type === 'Video' && width && height);
  const landscape = videos.filter(({ width, height }) => width! > height!).length;
  return { landscape, portrait: videos.length - landscape };
}
