import type { SkadnetworkOutcome } from '@bidwell/contract/skadnetwork/outcomes';
import type { SkadnetworkVersion } from '@bidwell/contract/skadnetwork/versions';
import type { ParsedAdAttributionKit, ParsedImp, ParsedSkadnetwork } from '../model/bid-request.ts';
import { hasAdAttributionKit, highestVersion } from './versions.ts';

/** An ad network of the installation that bids are signed for. */
export interface SigningNetwork {
  id: string;
  privateKey: string;
  /** In the IAB Tech Lab's list; null without a number. */
  iabNumber: number | null;
}

/** What bids of an installation can be signed for. */
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

/** How a bid on an imp of an iOS app can be signed, or why not. */
export function signableOf(
  { skadnetwork, adAttributionKit }: Pick<ParsedImp, 'skadnetwork' | 'adAttributionKit'>,
  iosVersion: string,
  networks: readonly SigningNetwork[],
): Signable | Exclude<SkadnetworkOutcome, 'signable'> {
  if (!skadnetwork && !adAttributionKit) return 'no_object';
  const network = networks.find(
    ({ id, iabNumber }) =>
      (skadnetwork && isListed(skadnetwork, id, iabNumber)) || adAttributionKit?.ids.includes(id),
  );
  if (!network) return 'not_listed';
  const { id, iabNumber } = network;
  const version =
    skadnetwork && isListed(skadnetwork, id, iabNumber)
      ? highestVersion(skadnetwork.versions, iosVersion)
      : null;
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
