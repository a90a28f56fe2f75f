import type { Mmp } from '@bidwell/contract/app';

/** What a link's addresses usually are with each measurement partner; the parts in capitals are the advertiser's own. */
export function linkTemplate(
  mmp: Mmp,
  { os, bundle_id: bundle }: { os: 'ios' | 'android'; bundle_id: string },
): { click_url: string; view_url: string } {
  const app = os === 'ios' ? `id${bundle.replace(/^id/, '')}` : bundle;
  const device = os === 'ios' ? 'idfa={idfa}' : 'advertising_id={gaid}';
  switch (mmp) {
    case 'appsflyer': {
      const common = `${app}?pid=bidwell_int&clickid={click_id}&c={campaign_name}&af_c_id={campaign_id}&af_adset_id={adset_id}&af_ad_id={creative_id}&af_siteid={bundle}&${device}&af_ip={ip}&af_ua={ua}&af_lang={lang}`;
      return {
        click_url: `https://app.appsflyer.com/${common}&af_click_lookback=7d`,
        view_url: `https://impression.appsflyer.com/${common}&af_viewthrough_lookback=24h`,
      };
    }
    case 'adjust': {
      const id = os === 'ios' ? 'idfa={idfa}' : 'gps_adid={gaid}';
      const common = `TOKEN?campaign={campaign_name}&adgroup={adset_id}&creative={creative_id}&click_id={click_id}&${id}&ip_address={ip}&user_agent={ua}`;
      return {
        click_url: `https://app.adjust.com/${common}`,
        view_url: `https://view.adjust.com/impression/${common}`,
      };
    }
    case 'appmetrica': {
      const id = os === 'ios' ? 'ios_ifa={idfa}' : 'google_aid={gaid}';
      const common = `TRACKING_ID?click_id={click_id}&${id}&site_id={bundle}&creative_id={creative_id}`;
      return {
        click_url: `https://redirect.appmetrica.yandex.com/serve/${common}`,
        view_url: `https://impression.appmetrica.yandex.com/serve/${common}`,
      };
    }
  }
}
