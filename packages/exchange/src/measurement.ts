import type { Mmp } from '@bidwell/contract/apps/fields';
import { PARTNERS, mmpOfHost } from '@bidwell/contract/measurement/partners/partners';
import { pushMessage } from '@bidwell/testing/partners/appsflyer-push';
import type { InAppEvent } from './in-app-behaviour.ts';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

/** Parameters that a click's redirect passes to a measurement partner. */
export interface TrackedClick {
  mmp: Mmp | null;
  clickId: string;
  /** The callback that Adjust calls on install, with its placeholders; null without one. */
  callback: string | null;
  /** The advertising id of the device; '' without one. */
  advertisingId: string;
  /** Whether the link is of a campaign that brings people back who have the app. */
  isReEngagement: boolean;
}

/** Parameters of partners' links that hold a click id. */
const CLICK_ID_PARAMS = ['clickid', 'click_id', 'label', 'cl', '~click_id'];
/** Parameters of partners' links that hold the advertising id. */
const DEVICE_PARAMS = ['advertising_id', 'gps_adid', 'google_aid', 'aifa', 'gaid', 'idfa', 'ios_ifa'];
/** Parameters of partners' links that lead into the app. */
const DEEP_LINK_PARAMS = ['af_dp', 'deep_link', '_dl', '$deeplink_path', 'deeplink', 'deeplink_url'];

/**
 * Extracts the click id from a tracking link (AppsFlyer's `clickid`, AppMetrica's `click_id`, Adjust's `label`, Singular's `cl`,
 * Branch's `~click_id`) and Adjust's `install_callback`. Null if the link has neither. `mmp` is null for an unknown host.
 */
export function readTrackedClick(location: string): TrackedClick | null {
  if (!canParseUrl(location)) return null;
  const url = new URL(location);
  const callbackUrl = url.searchParams.get('install_callback') ?? '';
  const callback = canParseUrl(callbackUrl) ? callbackUrl : null;
  const given = (names: readonly string[]): string =>
    names.map((name) => url.searchParams.get(name)).find(Boolean) ?? '';
  const clickId = given(CLICK_ID_PARAMS);
  if (clickId === '' && callback === null) return null;
  return {
    mmp: mmpOfHost(url.hostname) ?? null,
    clickId,
    callback,
    advertisingId: given(DEVICE_PARAMS),
    isReEngagement: given(DEEP_LINK_PARAMS) !== '',
  };
}

/** Adjust's install callback with its placeholders replaced. */
export function filledCallback(
  callback: string,
  install: Pick<Install, 'atMs' | 'country' | 'os' | 'advertisingId'>,
): string {
  const values: Record<string, string> = {
    activity_kind: 'install',
    gps_adid: install.os === 'android' ? install.advertisingId : '',
    idfa: install.os === 'ios' ? install.advertisingId : '',
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
  /** '' without one. */
  advertisingId: string;
}

/** The parameter with the advertising id, as a partner names it in its postbacks; none without an id. */
export function deviceParameter(
  mmp: Mmp,
  { os, advertisingId }: Pick<Install, 'os' | 'advertisingId'>,
): Record<string, string> {
  if (advertisingId === '') return {};
  if (os === 'ios') return { idfa: advertisingId };
  const name = mmp === 'appsflyer' ? 'advertising_id' : mmp === 'adjust' ? 'gps_adid' : 'gaid';
  return { [name]: advertisingId };
}

/** Parameters of the install postbacks of partners that name them themselves; the others take Bidwell's names. */
const postbacks: Partial<Record<Mmp, (install: Install, seconds: string) => Record<string, string>>> = {
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
  const seconds = String(Math.floor(install.atMs / 1000));
  const device = deviceParameter(mmp, install);
  const own = postbacks[mmp]?.(install, seconds);
  if (own) return new URLSearchParams({ ...own, ...device });
  const [event_name = 'install'] = PARTNERS[mmp].postbacks.installNames;
  return new URLSearchParams({
    click_id: install.clickId,
    event_name,
    install_time: seconds,
    touch: install.after,
    ...device,
  });
}

/** The parameters of a partner's postback about the return of a person who has the app. */
export function returnPostback(mmp: Mmp, install: Install): URLSearchParams {
  const parameters = installPostback(mmp, install);
  if (mmp === 'adjust') parameters.set('activity_kind', 'reattribution');
  else if (mmp === 'branch') parameters.set('event_name', 'open');
  else parameters.set(mmp === 'appsflyer' ? 'is_retargeting' : 'retargeting', 'true');
  return parameters;
}

/** The parameters of a partner's postback of an event in the app, as Bidwell's templates name them. */
export function inAppPostback(
  mmp: Mmp,
  { clickId, atMs, ...device }: Pick<Install, 'clickId' | 'atMs' | 'os' | 'advertisingId'>,
  { name, dollars, isAdRevenue }: Omit<InAppEvent, 'afterMs'>,
): URLSearchParams {
  const amount = mmp === 'adjust' ? 'revenue_float' : 'revenue';
  return new URLSearchParams({
    click_id: clickId,
    ...(mmp === 'adjust' && { activity_kind: 'event' }),
    event_name: name,
    event_time: String(Math.floor(atMs / 1000)),
    ...(dollars !== undefined && { [amount]: String(dollars), currency: 'USD' }),
    ...(isAdRevenue && { is_ad_revenue: '1' }),
    ...deviceParameter(mmp, device),
  });
}

/** The query of AppsFlyer's message about what a postback reports, of the click or view of a link. Messages may come by GET, too. */
export function pushQuery(
  link: string,
  atMs: number,
  { name, dollars }: Pick<InAppEvent, 'name' | 'dollars'>,
): URLSearchParams {
  const message = pushMessage({
    link,
    appId: new URL(link).pathname.split('/')[1] ?? '',
    eventName: name,
    at: new Date(atMs),
    ...(dollars !== undefined && { revenue: { amount: dollars, currency: 'USD', usd: dollars } }),
  });
  return new URLSearchParams(
    Object.entries(message).map(([field, value]): [string, string] => [field, String(value)]),
  );
}
