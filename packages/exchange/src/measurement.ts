import type { Mmp } from '@bidwell/contract/app';

/** What a click's redirect carries to a measurement partner. */
export interface TrackedClick {
  mmp: Mmp | null;
  clickId: string;
}

const hosts: readonly (readonly [Mmp, RegExp])[] = [
  ['appsflyer', /(^|\.)(appsflyer\.com|onelink\.me)$/],
  ['adjust', /(^|\.)(adjust\.com|adj\.st|go\.link)$/],
  ['appmetrica', /(^|\.)appmetri[ck]a\.yandex\.(com|ru)$/],
];

/**
 * Reads the click id out of a tracking link as each partner takes it: AppsFlyer's `clickid`, AppMetrica's `click_id`,
 * Adjust's `click_id` inside `install_callback`, or plain. Null when there is none. `mmp` is null for an unknown host.
 */
export function readTrackedClick(location: string): TrackedClick | null {
  if (!URL.canParse(location)) return null;
  const url = new URL(location);
  const callback = url.searchParams.get('install_callback') ?? '';
  const clickId =
    url.searchParams.get('clickid') ||
    url.searchParams.get('click_id') ||
    (URL.canParse(callback) ? new URL(callback).searchParams.get('click_id') : null);
  if (!clickId) return null;
  return { mmp: hosts.find(([, host]) => host.test(url.hostname))?.[0] ?? null, clickId };
}

/** What is told of an install. */
export interface Install {
  clickId: string;
  atMs: number;
  os: 'ios' | 'android';
  /** Three letters. */
  country: string;
}

/** What each partner's install postback says. */
const postbacks: Record<Mmp, (install: Install, seconds: string) => Record<string, string>> = {
  appsflyer: ({ clickId, country }, seconds) => ({
    clickid: clickId,
    event_name: 'install',
    'install-unix-ts': seconds,
    is_attributed: 'true',
    attributed_touch_type: 'click',
    country_code: country,
  }),
  adjust: ({ clickId, country, os }, seconds) => ({
    click_id: clickId,
    activity_kind: 'install',
    installed_at: seconds,
    os_name: os,
    country: country.toLowerCase(),
  }),
  appmetrica: ({ clickId, os }, seconds) => ({
    click_id: clickId,
    match_type: 'identifier',
    attributed_touch_type: 'click',
    install_timestamp: seconds,
    os_name: os,
  }),
};

/** The parameters of the install postback in the partner's own words. */
export function installPostback(mmp: Mmp, install: Install): URLSearchParams {
  return new URLSearchParams(postbacks[mmp](install, String(Math.floor(install.atMs / 1000))));
}
