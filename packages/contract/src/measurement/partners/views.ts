import type { Mmp } from '../../apps/fields.ts';
import { type SourcePage, article, ofMoloco } from './description.ts';

/** How a measurement partner takes views of ads, and counts installs after them, as public documents say. */
export interface ViewFacts {
  /** What the device loads, in a sentence. */
  form: string;
  /** What has to be switched on, so that an install after a view counts; '' for nothing documented. */
  enable: string;
  /** How a server may send views in place of the device; '' for nothing documented. */
  server: string;
  /** The parameter or the host by which the partner knows a server's call, and what it then requires; null for none. */
  ofServers: { param: string; value: string; host?: string; why: string } | null;
  /** What no public document says; '' for nothing. */
  notDocumented: string;
  sources: readonly SourcePage[];
}

const page = (title: string, url: string): SourcePage => ({ title, url });
const WHO_CALLS = 'Whether the device or a server should call.';

/** The facts about views by measurement partner. Read on 29 November 2026. */
export const VIEW_FACTS: Readonly<Record<Mmp, ViewFacts>> = {
  appsflyer: {
    form: 'The device loads the impression link at impression.appsflyer.com each time it shows an ad. Views count for 24 hours unless the link has another af_viewthrough_lookback.',
    enable:
      'AppsFlyer enables view-through attribution for an ad network on request, and the advertiser switches it on for the partner of each app.',
    server: '',
    ofServers: null,
    notDocumented: WHO_CALLS,
    sources: [
      article('support.appsflyer.com', '207447033'),
      article('support.appsflyer.com', '360017189177'),
      article('support.appsflyer.com', '4410395957521'),
    ],
  },
  adjust: {
    form: 'The device loads the impression URL that Adjust makes with each link.',
    enable:
      'Impression-based device matching in the app’s attribution settings. It needs the Business package or more; without it Adjust counts views and attributes nothing to them.',
    server:
      's2s.adjust.com/impression/TOKEN with s2s=1 and the advertising id; Adjust rejects views without either.',
    ofServers: {
      param: 's2s',
      value: '1',
      host: 's2s.adjust.com',
      why: 'takes no view without an advertising id: use view.adjust.com/impression',
    },
    notDocumented: '',
    sources: [
      page('docs.adjust.com impression-tracking', 'https://docs.adjust.com/en/impression-tracking/'),
      page(
        'help.adjust.com article/record-s2s-with-advertising-ids',
        'https://help.adjust.com/en/article/record-s2s-with-advertising-ids',
      ),
    ],
  },
  appmetrica: {
    form: 'The device loads the tracking URL at impression.appmetrica.yandex.com.',
    enable: 'The attribution settings of the tracker have the time for which views count.',
    server:
      'The same address with device_ip, device_ua and click_timestamp, at most 12 hours after the view; the response is 204.',
    ofServers: null,
    notDocumented: '',
    sources: [
      page(
        'appmetrica.yandex.com tracking-specification',
        'https://appmetrica.yandex.com/docs/en/mobile-tracking/tracking-specification',
      ),
      page('appmetrica.yandex.com s2s', 'https://appmetrica.yandex.com/docs/en/mobile-tracking/s2s'),
    ],
  },
  singular: {
    form: 'The device loads the view-through link at i.sng.link that Singular makes with the tracking link.',
    enable: 'Singular has to list the ad network as one with view-through.',
    server: '',
    ofServers: null,
    notDocumented: 'What a server that sends views has to add.',
    sources: [
      article('support.singular.net', '360028646452'),
      article('support.singular.net', '360053018851'),
      ofMoloco('8204656607383'),
    ],
  },
  branch: {
    form: 'The device loads the impression link that Branch shows with each ad link.',
    enable:
      'The attribution windows of the ad partner, in which the window for impressions must not be zero.',
    server: 'The link with %24s2s=true, the advertising id, the address and the user agent of the device.',
    ofServers: {
      param: '$s2s',
      value: 'true',
      why: 'requires the advertising id, the address and the user agent: leave %24s2s=true out',
    },
    notDocumented: '',
    sources: [
      page(
        'help.branch.io how-do-i-set-up-impression-tracking',
        'https://help.branch.io/faq/docs/how-do-i-set-up-impression-tracking',
      ),
      page(
        'help.branch.io branch-universal-ads-advanced',
        'https://help.branch.io/using-branch/docs/branch-universal-ads-advanced',
      ),
    ],
  },
  kochava: {
    form: 'The device loads the impression URL that Kochava shows with each tracker.',
    enable:
      'The tracker’s overrides have the time for which views count. The install postback has to deliver all conversions after impressions.',
    server: '',
    ofServers: null,
    notDocumented: WHO_CALLS,
    sources: [
      page(
        'support.kochava.com 4258',
        'https://support.kochava.com/articles/campaign-management/4258-tracker-override-settings',
      ),
      page(
        'developers.axon.ai kochava-tracking',
        'https://developers.axon.ai/en/app-discovery/tracking/kochava-tracking',
      ),
      page('docs.digitalturbine.com kochava', 'https://docs.digitalturbine.com/dt-growth/mmp-guides/kochava'),
    ],
  },
  tenjin: {
    form: 'The device loads the view URL that Tenjin shows for the channel.',
    enable: 'The app’s attribution settings have the time for which views count.',
    server: '',
    ofServers: null,
    notDocumented: `The path of the view URL. ${WHO_CALLS}`,
    sources: [
      page('docs.tenjin.io macros', 'https://docs.tenjin.io/en/tracking/macros.html'),
      page(
        'support.axon.ai tenjin-tracking',
        'https://support.axon.ai/en/growth/promoting-your-apps/tracking/tenjin-tracking',
      ),
    ],
  },
  other: {
    form: 'The device loads the view URL of your partner.',
    enable: '',
    server: '',
    ofServers: null,
    notDocumented: '',
    sources: [],
  },
};
