import type { Mmp } from '@bidwell/contract/app';
import { adjustLinkCallback } from '@bidwell/contract/postback';
import type { AppPlan } from './plan.ts';

interface Links {
  click_url: string;
  view_url: string;
}
type LinkedApp = Pick<AppPlan, 'mmp' | 'bundleId' | 'os'>;

/**
 * The click and view URLs of an app at its measurement partner, with the server's macros. `origin` receives postbacks: for
 * Adjust it is part of the link, for the other partners it is set in their consoles.
 */
export function trackingLinksOf(app: LinkedApp, origin: string): Links {
  return links[app.mmp](app, origin);
}

const links: Record<Mmp, (app: LinkedApp, origin: string) => Links> = {
  appsflyer({ bundleId, os }) {
    const app = os === 'ios' ? `id${bundleId}` : bundleId;
    const query =
      'pid=bidwell_int&c={campaign_name}&clickid={click_id}&af_siteid={bundle}' +
      '&idfa={idfa}&advertising_id={gaid}&af_ip={ip}&af_ua={ua}&af_lang={lang}';
    return {
      click_url: `https://app.appsflyer.com/${app}?${query}&af_click_lookback=7d`,
      view_url: `https://impression.appsflyer.com/${app}?${query}&af_viewthrough_lookback=24h`,
    };
  },
  adjust(_app, origin) {
    const query =
      'campaign={campaign_name}&adgroup={adset_id}&creative={creative_id}&gps_adid={gaid}&idfa={idfa}' +
      '&ip_address={ip}&user_agent={ua}&language={lang}&label={click_id}';
    return {
      click_url: `https://app.adjust.com/bw3d3mo?${query}&${adjustLinkCallback(origin)}`,
      view_url: `https://view.adjust.com/impression/bw3d3mo?${query}`,
    };
  },
  appmetrica() {
    const query =
      'click_id={click_id}&google_aid={gaid}&ios_ifa={idfa}&site_id={bundle}&creative_id={creative_id}';
    return {
      click_url: `https://redirect.appmetrica.yandex.com/serve/100200300400?${query}`,
      view_url: `https://impression.appmetrica.yandex.com/serve/100200300400?${query}`,
    };
  },
};
