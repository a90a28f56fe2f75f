import { type TrackingValues, fillTrackingMacros } from '@bidwell/contract/tracking-links/macros';
import { shortIdOf, siteIdOf } from '../../platform/partner-ids.ts';
import type { BidRef } from '../model/event.ts';
import { encodedUrl } from '../../platform/escape.ts';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

/** Data of a click or view beyond its bid. */
export interface TouchpointData {
  clickId: string;
  installToken: string;
  campaignName: string;
  /** The ad set's deep link, with macros; null for none. */
  deepLink: string | null;
  ip: string;
  userAgent: string;
  atMs: number;
}

/** Whether a link, or the deep link in it, contains the macro of the install token, which is signed only then. */
export function needsInstallToken(link: string, deepLink: string | null): boolean {
  return link.includes('{install_token}') || (deepLink?.includes('{install_token}') ?? false);
}

/** Values of the tracking link's macros for a click or view of a bid. Few links have the short ids, which are made when they are read. */
export function trackingValues(ref: BidRef, touchpoint: TouchpointData): TrackingValues {
  const values: TrackingValues = {
    click_id: touchpoint.clickId,
    install_token: touchpoint.installToken,
    campaign_id: ref.campaignId,
    campaign_name: touchpoint.campaignName,
    adset_id: ref.adsetId,
    creative_id: ref.creativeId,
    get campaign_short_id() {
      return shortIdOf(ref.campaignId);
    },
    get adset_short_id() {
      return shortIdOf(ref.adsetId);
    },
    get creative_short_id() {
      return shortIdOf(ref.creativeId);
    },
    get site_id() {
      return siteIdOf(ref.bundle);
    },
    bundle: ref.bundle,
    exchange: ref.exchange,
    country: ref.country,
    ip: touchpoint.ip,
    ua: touchpoint.userAgent,
    lang: ref.language,
    idfa: ref.os === 'ios' ? ref.ifa.toUpperCase() : '',
    gaid: ref.os === 'android' ? ref.ifa : '',
    timestamp: String(Math.floor(touchpoint.atMs / 1000)),
    get deep_link() {
      const { deepLink } = touchpoint;
      return deepLink === null ? '' : encodedUrl(fillTrackingMacros(deepLink, values));
    },
  };
  return values;
}

/**
 * The redirect target of a click: the tracking link with its macros filled. The link is the advertiser's stored one,
 * never part of the request. Null when the result is not an http(s) URL.
 */
export function clickLocation(clickUrl: string, values: TrackingValues): string | null {
  const location = fillTrackingMacros(clickUrl, values);
  return canParseUrl(location) && /^https?:/i.test(location) ? new URL(location).href : null;
}
