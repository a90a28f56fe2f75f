import type { Mmp } from '@bidwell/contract/apps/schema';

/** Parameters that a click's redirect passes to a measurement partner. */
export interface TrackedClick {
  mmp: Mmp | null;
  clickId: string;
  /** The callback that Adjust calls on install, with its placeholders; null without one. */
  callback: string | null;
}

const hosts: readonly (readonly [Mmp, RegExp])[] = [
  ['appsflyer', /(^|\.)(appsflyer\.com|onelink\.me)$/],
  ['adjust', /(^|\.)(adjust\.com|adj\.st|go\.link)$/],
  ['appmetrica', /(^|\.)appmetri[ck]a\.yandex\.(com|ru)$/],
];

/**
 * Extracts the click id from a tracking link (AppsFlyer's `clickid`, AppMetrica's `click_id`, Adjust's `label`) and
 * Adjust's `install_callback`. Null if the link has neither. `mmp` is null for an unknown host.
 */
export function readTrackedClick(location: string): TrackedClick | null {
  if (!URL.canParse(location)) return null;
  const url = new URL(location);
  const callbackUrl = url.searchParams.get('install_callback') ?? '';
  const callback = URL.canParse(callbackUrl) ? callbackUrl : null;
  const clickId =
    url.searchParams.get('clickid') ||
    url.searchParams.get('click_id') ||
    url.searchParams.get('label') ||
    '';
  if (clickId === '' && callback === null) return null;
  return { mmp: hosts.find(([, host]) => host.test(url.hostname))?.[0] ?? null, clickId, callback };
}

/** Adjust's install callback with its placeholders replaced. */
export function filledCallback(callback: string, install: Pick<Install, 'atMs' | 'country'>): string {
  const values: Record<string, string> = {
    activity_kind: 'install',
    installed_at: String(Math.floor(install.atMs / 1000)),
    country: install.country.toLowerCase(),
  };
  return callback.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}

/** An install to report in a postback. */
export interface Install {
  clickId: string;
  /** Whether the ad was clicked before or only seen. */
  after: 'click' | 'impression';
  atMs: number;
  os: 'ios' | 'android';
  /** ISO 3166-1 alpha-3. */
  country: string;
}

/** Parameters of each partner's install postback. */
const postbacks: Record<Mmp, (install: Install, seconds: string) => Record<string, string>> = {
  appsflyer: ({ clickId, after, country }, seconds) => ({
    clickid: clickId,
    event_name: 'install',
    'install-unix-ts': seconds,
    is_attributed: 'true',
    attributed_touch_type: after,
    country_code: country,
  }),
  adjust: ({ clickId, country, os }, seconds) => ({
    click_id: clickId,
    activity_kind: 'install',
    installed_at: seconds,
    os_name: os,
    country: country.toLowerCase(),
  }),
  appmetrica: ({ clickId, after, os }, seconds) => ({
    click_id: clickId,
    match_type: 'identifier',
    attributed_touch_type: after,
    install_timestamp: seconds,
    os_name: os,
  }),
};

/** The parameters of a partner's install postback. */
export function installPostback(mmp: Mmp, install: Install): URLSearchParams {
  return new URLSearchParams(postbacks[mmp](install, String(Math.floor(install.atMs / 1000))));
}
