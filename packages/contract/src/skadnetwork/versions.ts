/** Versions of SKAdNetwork that bids are signed for, the oldest first. */
export const SKADNETWORK_VERSIONS = ['2.0', '2.1', '2.2', '3.0', '4.0'] as const;
export type SkadnetworkVersion = (typeof SKADNETWORK_VERSIONS)[number];

/** The first iOS with each version (Apple, "SKAdNetwork release notes"): major and minor version. */
export const FIRST_IOS: Record<SkadnetworkVersion, readonly [major: number, minor: number]> = {
  '2.0': [14, 0],
  '2.1': [14, 0],
  '2.2': [14, 5],
  '3.0': [14, 6],
  '4.0': [16, 1],
};

/** The first iOS with AdAttributionKit (Apple, "AdAttributionKit"). */
export const FIRST_IOS_OF_ADATTRIBUTIONKIT: readonly [major: number, minor: number] = [17, 4];

/** The first iOS whose AdAttributionKit measures re-engagement (Apple, "AppImpression": `eligibleForReengagement`). */
export const FIRST_IOS_OF_RE_ENGAGEMENT: readonly [major: number, minor: number] = [18, 0];
