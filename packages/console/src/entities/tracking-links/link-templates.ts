import { adjustLinkCallback } from '@bidwell/contract/postbacks/schema';
import { type LinkedApp, appsflyerId, mmpRules } from '../measurement/mmp-rules.ts';

/** Placeholders of a template for values from the measurement partner. */
export const PLACEHOLDERS = {
  TOKEN: 'the link token that Adjust shows for your campaign',
  TRACKING_ID: 'the tracking id that AppMetrica shows for your tracker',
} as const;

/** Whether the template of the app's partner holds placeholders, which a person replaces. */
export function needsPartnerValues(app: LinkedApp): boolean {
  const urls = Object.values(linkTemplate(app, '')).join(' ');
  return Object.keys(PLACEHOLDERS).some((placeholder) => urls.includes(placeholder));
}

/** The usual URLs of a tracking link for the app's measurement partner. `origin` receives the postbacks. */
export function linkTemplate(app: LinkedApp, origin: string): { click_url: string; view_url: string } {
  const mmp = app.mobile_measurement_partner;
  const device = `${mmpRules[mmp].deviceId[app.os]}={${app.os === 'ios' ? 'idfa' : 'gaid'}}`;
  switch (mmp) {
    case 'appsflyer': {
      // AppsFlyer's id parameters are limited to 24 characters; our ids go into parameters of 100.
      const common = `${appsflyerId(app)}?pid=bidwell_int&clickid={click_id}&c={campaign_name}&af_adset={adset_id}&af_ad={creative_id}&af_sub1={campaign_id}&af_siteid={exchange}&af_sub_siteid={bundle}&${device}&af_ip={ip}&af_ua={ua}&af_lang={lang}`;
      return {
        click_url: `https://app.appsflyer.com/${common}&af_click_lookback=7d`,
        view_url: `https://impression.appsflyer.com/${common}&af_viewthrough_lookback=24h`,
      };
    }
    case 'adjust': {
      // Callbacks configured at Adjust return the label; the link's own callback carries a token for this click.
      const common = `TOKEN?campaign={campaign_name}&adgroup={adset_id}&creative={creative_id}&${device}&ip_address={ip}&user_agent={ua}&language={lang}&label={click_id}&${adjustLinkCallback(origin)}`;
      return {
        click_url: `https://app.adjust.com/${common}`,
        view_url: `https://view.adjust.com/impression/${common}`,
      };
    }
    case 'appmetrica': {
      const common = `TRACKING_ID?click_id={click_id}&${device}&site_id={bundle}&creative_id={creative_id}`;
      return {
        click_url: `https://redirect.appmetrica.yandex.com/serve/${common}`,
        view_url: `https://impression.appmetrica.yandex.com/serve/${common}`,
      };
    }
  }
}
