import type { Mmp } from '../../apps/fields.ts';
import { type SourcePage, article } from './description.ts';

/** The fields of this network that a partner takes with a copy. */
export interface AddedFields {
  campaignId: string;
  campaignName: string;
  adsetId: string;
  adsetName: string;
  /** Unix seconds of the arrival here, as text; null where the partner does not take it. */
  receivedAt: string | null;
}

/** How a measurement partner takes copies of postbacks from ad networks, as its public documents say. */
export interface CopyFacts {
  /** The address for SKAdNetwork; null where the partner gives it to each network. */
  url: string | null;
  /** Names of the fields that are added behind the fields of the device; null where none are documented. */
  added: AddedFields | null;
  /** What to agree with the partner. */
  agree: string;
  /** What no public document says. */
  notDocumented: string;
  sources: readonly SourcePage[];
}

const ADDED_BY_NETWORK: AddedFields = {
  campaignId: 'ad-network-campaign-id',
  campaignName: 'ad-network-campaign-name',
  adsetId: 'ad-network-adset-id',
  adsetName: 'ad-network-adset-name',
  receivedAt: 'timestamp',
};
const OF_ADATTRIBUTIONKIT = 'Where postbacks of AdAttributionKit are sent.';

/** The facts about copies by measurement partner. No partner publishes an address for AdAttributionKit. */
export const COPY_FACTS: Readonly<Record<Mmp, CopyFacts>> = {
  appsflyer: {
    url: 'https://skadpostbacks.appsflyer.com/api/postbacks',
    added: ADDED_BY_NETWORK,
    agree: 'AppsFlyer has to know the ad network’s id at Apple.',
    notDocumented: OF_ADATTRIBUTIONKIT,
    sources: [article('support.appsflyer.com', '360011502657')],
  },
  adjust: {
    url: null,
    added: null,
    agree: 'Adjust gives the address to networks that integrate: ask its integrations team.',
    notDocumented: `The address, and names of fields for campaigns. ${OF_ADATTRIBUTIONKIT}`,
    sources: [
      { title: 'SKAdNetwork for partners', url: 'https://help.adjust.com/en/article/skadnetwork-partner' },
    ],
  },
  appmetrica: {
    url: 'https://skadnet-postback.yandex.net/postback',
    added: ADDED_BY_NETWORK,
    agree: 'Nothing: AppMetrica asks for no token and knows no list of addresses.',
    notDocumented: OF_ADATTRIBUTIONKIT,
    sources: [
      {
        title: 'Integration for ad networks within SKAdNetwork',
        url: 'https://appmetrica.yandex.ru/docs/en/mobile-tracking/ios-tracking-skadnetwork',
      },
    ],
  },
  singular: {
    url: null,
    added: null,
    agree: 'Singular gives the address to networks that integrate.',
    notDocumented: `The address, and names of fields for campaigns. ${OF_ADATTRIBUTIONKIT}`,
    sources: [article('support.singular.net', '360047620831')],
  },
  branch: {
    url: 'https://api2.branch.io/v1/skadnetwork',
    added: {
      campaignId: 'partner-campaign-id',
      campaignName: 'partner-campaign-name',
      adsetId: 'partner-ad-set-id',
      adsetName: 'partner-ad-set-name',
      receivedAt: null,
    },
    agree: 'Give the ad network’s id at Apple to the account manager at Branch.',
    notDocumented: OF_ADATTRIBUTIONKIT,
    sources: [
      {
        title: 'SKAN Postback API spec',
        url: 'https://help.branch.io/developer-hub/docs/skan-postback-api-spec',
      },
    ],
  },
  kochava: {
    url: null,
    added: null,
    agree:
      'Kochava assigns a subdomain: the address is https://SUBDOMAIN.adsmeasurement.com/v1/skad/postback. It drops postbacks that lack a field of the device.',
    notDocumented: `Names of fields for campaigns, which Kochava lists in its console. ${OF_ADATTRIBUTIONKIT}`,
    sources: [
      {
        title: 'SKAdNetwork partner certification',
        url: 'https://support.kochava.com/reference-information/integrate-with-kochava-as-a-networkpublisher/skad-network-integration/',
      },
    ],
  },
  tenjin: {
    url: null,
    added: null,
    agree: 'Ask Tenjin for the address.',
    notDocumented: `Whether Tenjin takes postbacks of networks, and how. ${OF_ADATTRIBUTIONKIT}`,
    sources: [{ title: 'SKAdNetwork overview', url: 'https://docs.tenjin.com/docs/en/skadnetwork-overview' }],
  },
  other: {
    url: null,
    added: null,
    agree: 'Ask the partner for its address.',
    notDocumented: 'All of it.',
    sources: [],
  },
};
