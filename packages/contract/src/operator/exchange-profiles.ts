import type { SspInput } from './schema.ts';

/** The settings on which exchanges differ, and which their public documentation may give. */
export const PROFILE_FIELDS = [
  'auction_type',
  'charge_on',
  'price_macro',
  'price_format',
  'timeout_ms',
  'answer_bytes_max',
  'seat',
] as const;
export type ProfileField = (typeof PROFILE_FIELDS)[number];

/** What the documentation of an exchange says about a setting. */
export interface ProfileFact {
  field: ProfileField;
  text: string;
  /** The page that says so. */
  source: string;
}

/** Starting values for an exchange, with their sources. */
export interface ExchangeProfile {
  slug: string;
  name: string;
  /** Values that differ from those of OpenRTB. */
  settings: Partial<Pick<SspInput, ProfileField>>;
  facts: readonly ProfileFact[];
  /** Its public documentation as a whole; null where none is known. */
  documentation: string | null;
}

const OPENRTB = 'https://github.com/InteractiveAdvertisingBureau/openrtb2.x/blob/main/2.6.md';
const APPLOVIN = 'https://support.axon.ai/en/max/demand-partners/auction-dynamics';
const UNITY = 'https://docs.unity.com/grow/exchange/bid-responses';
const UNITY_AUCTION = 'https://github-wiki-see.page/m/Unity-Technologies/unity-ads/wiki/exchange-partners';
const INMOBI_AUCTION = 'https://support.inmobi.com/advertise/platform/auction';
const INMOBI_BILLING = 'https://support.inmobi.com/advertise/platform/impression-tracking';
const INMOBI_RESPONSES = 'https://support.inmobi.com/advertise/integration/ortb-specs/bid-responses-dsp';
const GOOGLE_PRICES = 'https://developers.google.com/authorized-buyers/rtb/response-guide/decrypt-price';
const PUBMATIC = 'https://community.pubmatic.com/docs/DOC-1753';
const PUBMATIC_AUCTION = 'https://community.pubmatic.com/display/SSP/Support+for+First-Price+Auctions+FAQs';

/** Known exchanges. Where the documentation says nothing on a setting, it has the value of OpenRTB. */
export const exchangeProfiles: readonly ExchangeProfile[] = [
  {
    slug: 'openrtb',
    name: 'Generic OpenRTB',
    settings: {},
    documentation: OPENRTB,
    facts: [
      {
        field: 'auction_type',
        text: 'Each request says in `at` whether it is a first or a second price auction.',
        source: OPENRTB,
      },
      {
        field: 'charge_on',
        text: 'The billing notice (`burl`) says that a bid is charged.',
        source: OPENRTB,
      },
      {
        field: 'price_macro',
        text: 'Notices and markup carry the clearing price in ${AUCTION_PRICE}.',
        source: OPENRTB,
      },
      {
        field: 'timeout_ms',
        text: 'Each request says in `tmax` how long the exchange waits.',
        source: OPENRTB,
      },
    ],
  },
  {
    slug: 'google',
    name: 'Google Authorized Buyers',
    settings: { price_format: 'google-encrypted' },
    documentation: 'https://developers.google.com/authorized-buyers/rtb/start',
    facts: [
      {
        field: 'price_macro',
        text: 'Bidders on OpenRTB use ${AUCTION_PRICE}.',
        source: GOOGLE_PRICES,
      },
      {
        field: 'price_format',
        text: 'Prices are encrypted. The account has an encryption key and an integrity key.',
        source: GOOGLE_PRICES,
      },
    ],
  },
  {
    slug: 'applovin',
    name: 'AppLovin',
    settings: { auction_type: 'first' },
    documentation:
      'https://support.applovin.com/hc/en-us/articles/11623322707085-AppLovin-oRTB-Specification',
    facts: [
      { field: 'auction_type', text: 'All auctions are first price auctions.', source: APPLOVIN },
      {
        field: 'charge_on',
        text: 'The billing notice is sent after the ad has rendered.',
        source: APPLOVIN,
      },
      { field: 'timeout_ms', text: 'Each request says in `tmax` how long it waits.', source: APPLOVIN },
    ],
  },
  { slug: 'mintegral', name: 'Mintegral', settings: {}, documentation: null, facts: [] },
  {
    slug: 'inmobi',
    name: 'InMobi',
    settings: { auction_type: 'first' },
    documentation: 'https://support.inmobi.com/advertise/rso-documentation/getting-started-dsp/',
    facts: [
      {
        field: 'auction_type',
        text: 'All auctions are first price auctions; requests say `at: 1`.',
        source: INMOBI_AUCTION,
      },
      {
        field: 'charge_on',
        text: 'The billing notice reports an impression that was won and shown. Bids need it or impression trackers.',
        source: INMOBI_BILLING,
      },
      {
        field: 'seat',
        text: 'Every bid response needs a seat id. Agree on it with the exchange.',
        source: INMOBI_RESPONSES,
      },
    ],
  },
  {
    slug: 'unity',
    name: 'Unity / ironSource',
    settings: { auction_type: 'first', charge_on: 'win', timeout_ms: 200 },
    documentation: 'https://docs.unity.com/grow/exchange/bid-responses',
    facts: [
      { field: 'auction_type', text: 'All auctions are first price auctions.', source: UNITY_AUCTION },
      {
        field: 'charge_on',
        text: 'Impressions are tracked by the win notice (`nurl`).',
        source: UNITY_AUCTION,
      },
      {
        field: 'timeout_ms',
        text: 'A bid response has to arrive within 200 milliseconds.',
        source: UNITY,
      },
    ],
  },
  {
    slug: 'smaato',
    name: 'Smaato',
    settings: {},
    documentation: 'https://developers.smaato.com/marketers/openrtb-getting-started/',
    facts: [
      {
        field: 'charge_on',
        text: 'It follows OpenRTB: the billing notice says that spend is applied, the win notice does not.',
        source: 'https://developers.smaato.com/marketers/openrtb-getting-started/',
      },
    ],
  },
  {
    slug: 'pubmatic',
    name: 'PubMatic',
    settings: { timeout_ms: 100 },
    documentation: 'https://community.pubmatic.com/docs/DOC-2050',
    facts: [
      {
        field: 'auction_type',
        text: 'Each request says in `at` whether it is a first or a second price auction.',
        source: PUBMATIC_AUCTION,
      },
      {
        field: 'timeout_ms',
        text: 'It waits at most 100 milliseconds and does not send `tmax` (document of OpenRTB 2.1).',
        source: PUBMATIC,
      },
      {
        field: 'seat',
        text: 'A bid without a seat id does not take part in the auction (document of OpenRTB 2.1).',
        source: PUBMATIC,
      },
    ],
  },
  {
    slug: 'magnite',
    name: 'Magnite',
    settings: {},
    documentation: 'https://help.magnite.com/help/openrtb-specification',
    facts: [],
  },
];

/** The settings of a profile on which nothing public was found, so that it has the value of OpenRTB. */
export function unknownFields({ facts }: ExchangeProfile): ProfileField[] {
  return PROFILE_FIELDS.filter((field) => !facts.some((fact) => fact.field === field));
}
