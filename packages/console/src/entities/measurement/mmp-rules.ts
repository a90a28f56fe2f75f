import type { AppSummary, Mmp, Os } from '@bidwell/contract/apps/schema';
import { CLICK_ID_IN } from '@bidwell/contract/measurement/mmp-links';
import { parseStoreLink } from '@bidwell/contract/apps/store-link';
import { mmpNames } from '@bidwell/contract/measurement/mmp-names';

/** A measurement partner's rules for links, from its public documentation. */
export interface MmpRules {
  name: string;
  clickHost: RegExp;
  viewHost: RegExp;
  clickIdIn: (typeof CLICK_ID_IN)[Mmp];
  deviceId: Readonly<Record<Os, string>>;
  /** The parameter with which the partner records a click without redirecting to the store. */
  noRedirect: { param: string; value: string };
  /** Hosts whose last path segment is the link's token. */
  tokenHost?: RegExp;
}

export const mmpRules: Readonly<Record<Mmp, MmpRules>> = {
  appsflyer: {
    name: mmpNames.appsflyer,
    clickHost: /^app\.appsflyer\.com$|^(?!impressions\.)[^.]+\.onelink\.me$/,
    viewHost: /^impression\.appsflyer\.com$|^impressions\.onelink\.me$/,
    clickIdIn: CLICK_ID_IN.appsflyer,
    deviceId: { android: 'advertising_id', ios: 'idfa' },
    noRedirect: { param: 'redirect', value: 'false' },
  },
  adjust: {
    name: mmpNames.adjust,
    clickHost: /^app\.|\.adj\.st$|\.go\.link$/,
    viewHost: /^view\./,
    clickIdIn: CLICK_ID_IN.adjust,
    deviceId: { android: 'gps_adid', ios: 'idfa' },
    noRedirect: { param: 's2s', value: '1' },
    tokenHost: /adjust\.(com|net\.in|world)$/,
  },
  appmetrica: {
    name: mmpNames.appmetrica,
    clickHost: /^redirect\./,
    viewHost: /^impression\./,
    clickIdIn: CLICK_ID_IN.appmetrica,
    deviceId: { android: 'google_aid', ios: 'ios_ifa' },
    noRedirect: { param: 'noredirect', value: '1' },
    tokenHost: /yandex\.(com|ru)$/,
  },
};

/** AppsFlyer's app id: the package name on Android, `id` with the App Store number on iOS. */
export function appsflyerId({ os, bundle_id: bundle, store_link: link }: LinkedApp): string {
  if (os === 'android') return bundle;
  const store = parseStoreLink(link);
  return `id${(store?.os === 'ios' ? store.bundleId : bundle).replace(/^id/, '')}`;
}

/** The fields of an app that its links depend on. */
export type LinkedApp = Pick<AppSummary, 'os' | 'bundle_id' | 'store_link' | 'mobile_measurement_partner'>;
