import type { SkadnetworkOutcome } from '@bidwell/contract/skadnetwork/outcomes';
import {
  type SkadnetworkVersion,
  FIRST_IOS,
  FIRST_IOS_OF_ADATTRIBUTIONKIT,
  FIRST_IOS_OF_RE_ENGAGEMENT,
  SKADNETWORK_VERSIONS,
} from '@bidwell/contract/skadnetwork/versions';
import { isUniversalLink } from '@bidwell/contract/adsets/deep-link';
import type { CompiledAdset } from '../model/candidate.ts';
import type { ParsedAdAttributionKit, ParsedImp, ParsedSkadnetwork } from '../model/bid-request.ts';

/** An ad network of the installation that bids are signed for. */
export interface SigningNetwork {
  id: string;
  privateKey: string;
  /** In the IAB Tech Lab's list; null without a number. */
  iabNumber: number | null;
}

/** The networks and exchanges for which an installation signs bids. */
export interface SkadnetworkSettings {
  networks: readonly SigningNetwork[];
  /** Slugs of the exchanges with which bids are signed. */
  exchanges: readonly string[];
}

/** How a bid on an imp is signed; `version` and `sourceApp` are of SKAdNetwork, and either framework may be missing. */
export interface Signable {
  network: string;
  version: SkadnetworkVersion | null;
  sourceApp: string;
  aakSourceApp: string;
}

type Parameters = Pick<ParsedImp, 'skadnetwork' | 'adAttributionKit'>;
type Unsignable = Exclude<SkadnetworkOutcome, 'signable'>;

/** How a bid on an imp of an iOS app can be signed, for the first network for which it can, or why for none. */
export function signableOf(
  parameters: Parameters,
  iosVersion: string,
  networks: readonly SigningNetwork[],
): Signable | Unsignable {
  if (!parameters.skadnetwork && !parameters.adAttributionKit) return 'no_object';
  let reason: Unsignable = 'not_listed';
  for (const network of networks) {
    const signable = signableFor(network, parameters, iosVersion);
    if (typeof signable !== 'string') return signable;
    if (reason === 'not_listed') reason = signable;
  }
  return reason;
}

function signableFor(
  { id, iabNumber }: SigningNetwork,
  { skadnetwork, adAttributionKit }: Parameters,
  iosVersion: string,
): Signable | Unsignable {
  const isInSkadnetwork = skadnetwork !== null && isListed(skadnetwork, id, iabNumber);
  if (!isInSkadnetwork && !adAttributionKit?.ids.includes(id)) return 'not_listed';
  const version = isInSkadnetwork ? highestVersion(skadnetwork.versions, iosVersion) : null;
  const hasAak = adAttributionKit !== null && isUsable(adAttributionKit, id, iosVersion);
  if (version === null && !hasAak) return 'too_old';
  const sourceApp = version === null ? '' : skadnetwork!.sourceApp;
  const aakSourceApp = hasAak ? adAttributionKit.sourceApp : '';
  if (sourceApp === '' && aakSourceApp === '') return 'no_source_app';
  return { network: id, version: sourceApp === '' ? null : version, sourceApp, aakSourceApp };
}

function isListed(
  { ids, listMax, listExcluded }: ParsedSkadnetwork,
  id: string,
  number: number | null,
): boolean {
  if (ids.includes(id)) return true;
  return number !== null && number <= listMax && !listExcluded.includes(number);
}

function isUsable({ ids }: ParsedAdAttributionKit, id: string, iosVersion: string): boolean {
  return ids.includes(id) && hasAdAttributionKit(iosVersion);
}

/**
 * The highest version that a request offers and its device has; null if there is none. A device that does not state its version is
 * assumed to support the versions that the publisher's app offers.
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

/**
 * The universal link that AdAttributionKit opens at a click, and whose opening it measures; null for an ad set that does not re-engage, and
 * for a device that does not say that it can. A link with macros differs from bid to bid, so that no signature for it could be made ahead.
 */
export function reEngagementUrlOf(
  { reEngagement, deepLink }: Pick<CompiledAdset, 'reEngagement' | 'deepLink'>,
  iosVersion: string,
): string | null {
  if (!reEngagement || deepLink === null || iosVersion === '') return null;
  const isPlain = isUniversalLink(deepLink) && !deepLink.includes('{');
  return isPlain && isAtLeast(iosVersion, FIRST_IOS_OF_RE_ENGAGEMENT) ? deepLink : null;
}

function isAtLeast(iosVersion: string, [major, minor]: readonly [number, number]): boolean {
  if (iosVersion === '') return true;
  const [ownMajor = 0, ownMinor = 0] = iosVersion.split('.', 2).map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}
