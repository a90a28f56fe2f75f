import { adjustLinkCallback } from '@bidwell/contract/postbacks/schema';
import type { AppPlan } from './plan.ts';

interface Links {
  click_url: string;
  view_url: string;
}
type LinkedApp = Pick<AppPlan, 'mmp' | 'bundleId' | 'os' | 'linkToken'>;

/**
 * The click and view URLs of an app at its measurement partner, with the server's macros. `origin` receives postbacks: for
 * Adjust it is part of the link, for the other partners it is set in their consoles.
 */
export function trackingLinksOf(app: LinkedApp, origin: string): Links {
  return links[app.mmp](app, origin);
}

const links: Record<AppPlan['mmp'], (app: LinkedApp, origin: string) => Links> = {
  appsflyer: (app) =>
    appsflyerLinks(app, '&af_siteid={site_id}&af_sub_siteid={bundle}&af_channel={exchange}'),
  adjust({ os, linkToken }, origin) {
    const device = os === 'ios' ? 'idfa={idfa}' : 'gps_adid={gaid}';
    const query =
      `${linkToken}?campaign={campaign_name}&adgroup={adset_id}&creative={creative_id}&${device}` +
      `&ip_address={ip}&user_agent={ua}&language={lang}&label={click_id}&${adjustLinkCallback(origin)}`;
    return {
      click_url: `https://app.adjust.com/${query}`,
      view_url: `https://view.adjust.com/impression/${query}`,
    };
  },
  appmetrica({ os, linkToken }) {
    const device = os === 'ios' ? 'ios_ifa={idfa}' : 'google_aid={gaid}';
    const query = `${linkToken}?click_id={click_id}&${device}&site_id={bundle}&creative_id={creative_id}`;
    return {
      click_url: `https://redirect.appmetrica.yandex.com/serve/${query}`,
      view_url: `https://impression.appmetrica.yandex.com/serve/${query}`,
    };
  },
};

/** URLs for AppsFlyer without the parameters of the publisher, which the console warns of. */
export function linksWithoutPublisher(app: LinkedApp): Links {
  return appsflyerLinks(app, '');
}

function appsflyerLinks({ bundleId, os }: LinkedApp, publisher: string): Links {
  const app = os === 'ios' ? `id${bundleId}` : bundleId;
  const device = os === 'ios' ? 'idfa={idfa}' : 'advertising_id={gaid}';
  const query =
    `${app}?pid=bidwell_int&clickid={click_id}&c={campaign_name}&af_adset={adset_id}&af_ad={creative_id}` +
    `&af_c_id={campaign_short_id}&af_adset_id={adset_short_id}&af_ad_id={creative_short_id}` +
    `${publisher}&${device}&af_ip={ip}&af_ua={ua}&af_lang={lang}`;
  return {
    click_url: `https://app.appsflyer.com/${query}&af_click_lookback=7d`,
    view_url: `https://impression.appsflyer.com/${query}&af_viewthrough_lookback=24h`,
  };
}
