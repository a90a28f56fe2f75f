import {
  FIRST_IOS,
  FIRST_IOS_OF_ADATTRIBUTIONKIT,
  SKADNETWORK_VERSIONS,
  type SkadnetworkVersion,
} from '@bidwell/contract/skadnetwork/versions';

/**
 * The highest version that a request offers and its device has; null if there is none. A device that does not say its version is taken
 * to have what the publisher's app offers.
 */
export function highestVersion(offered: ReadonlySet<string>, iosVersion: string): SkadnetworkVersion | null {
  for (const version of SKADNETWORK_VERSIONS.toReversed())
    if (offered.has(version) && isAtLeast(iosVersion, FIRST_IOS[version])) return version;
  return null;
}

/** Whether a device has AdAttributionKit; true for one that does not say its version. */
export function hasAdAttributionKit(iosVersion: string): boolean {
  return isAtLeast(iosVersion, FIRST_IOS_OF_ADATTRIBUTIONKIT);
}

function isAtLeast(iosVersion: string, [major, minor]: readonly [number, number]): boolean {
  if (iosVersion === '') return true;
  const [ownMajor = 0, ownMinor = 0] = iosVersion.split('.', 2).map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}
