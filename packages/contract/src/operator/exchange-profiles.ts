import { SspInput } from './schema.ts';

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

type ProfileSettings = Partial<Pick<SspInput, ProfileField>>;

/** A statement of an exchange's documentation about a setting. */
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
  /** Values that differ from OpenRTB's. */
  settings: ProfileSettings;
  /** Values that this profile began with before its sources said otherwise. */
  formerSettings?: ProfileSettings;
  facts: readonly ProfileFact[];
  /** The day when its sources were last read, YYYY-MM-DD. */
  readOn: string;
  /** Its public documentation as a whole; null where none is known. */
  documentation: string | null;
}

const OPENRTB = 'https://github.com/InteractiveAdvertisingBureau/openrtb2.x/blob/main/2.6.md';
const APPLOVIN = 'https://support.axon.ai/en/max/demand-partners/auction-dynamics';
const APPLOVIN_RESPONSES =
  'https://support.axon.ai/en/max/demand-partners/demand-side-platforms/applovin-ortb-specification/bid-responses';
const UNITY = 'https://docs.unity.com/grow/exchange/bid-responses';
const UNITY_FAQ = 'https://docs.unity.com/grow/exchange/faq';
const UNITY_START = 'https://docs.unity.com/demand-side-partners/en-us/manual/GettingStarted';
const INMOBI_AUCTION = 'https://support.inmobi.com/advertise/platform/auction';
const INMOBI_BILLING = 'https://support.inmobi.com/advertise/platform/impression-tracking';
const INMOBI_RESPONSES = 'https://support.inmobi.com/advertise/integration/ortb-specs/bid-responses-dsp';
const GOOGLE_PRICES = 'https://developers.google.com/authorized-buyers/rtb/response-guide/decrypt-price';
const GOOGLE_BILLING = 'https://developers.google.com/authorized-buyers/rtb/billing-event-guide';
const GOOGLE_AUCTION = 'https://support.google.com/authorizedbuyers/answer/6077702';
const PUBMATIC = 'https://community.pubmatic.com/display/BA/OpenRTB+2.3+PubMatic+Extensions';
const PUBMATIC_AUCTION = 'https://community.pubmatic.com/display/SSP/Support+for+First-Price+Auctions+FAQs';
const READ_ON = '2026-11-28';

/** Known exchanges. Where the documentation says nothing on a setting, it has the value of OpenRTB. */
export const exchangeProfiles: readonly ExchangeProfile[] = [
  {
    slug: 'openrtb',
    name: 'Generic OpenRTB',
    settings: {},
    documentation: OPENRTB,
    readOn: READ_ON,
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
    readOn: READ_ON,
    facts: [
      {
        field: 'auction_type',
        text: 'Ad Manager and AdMob hold first price auctions; each request says in `at` which one it is.',
        source: GOOGLE_AUCTION,
      },
      {
        field: 'charge_on',
        text: 'An impression counts once the creative renders, not when the bid wins.',
        source: GOOGLE_BILLING,
      },
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
    settings: { auction_type: 'first', answer_bytes_max: 4096 },
    formerSettings: { answer_bytes_max: null },
    documentation:
      'https://support.applovin.com/hc/en-us/articles/11623322707085-AppLovin-oRTB-Specification',
    readOn: READ_ON,
    facts: [
      { field: 'auction_type', text: 'All auctions are first price auctions.', source: APPLOVIN },
      {
        field: 'charge_on',
        text: 'The billing notice is sent when the device renders the ad.',
        source: APPLOVIN_RESPONSES,
      },
      {
        field: 'price_macro',
        text: 'Notices carry the clearing price in ${AUCTION_PRICE}.',
        source: APPLOVIN_RESPONSES,
      },
      {
        field: 'answer_bytes_max',
        text: 'A bid response has at most 4 KB.',
        source: APPLOVIN_RESPONSES,
      },
      { field: 'timeout_ms', text: 'Each request says in `tmax` how long it waits.', source: APPLOVIN },
    ],
  },
  { slug: 'mintegral', name: 'Mintegral', settings: {}, documentation: null, readOn: READ_ON, facts: [] },
  {
    slug: 'inmobi',
    name: 'InMobi',
    settings: { auction_type: 'first' },
    documentation: 'https://support.inmobi.com/advertise/rso-documentation/getting-started-dsp/',
    readOn: READ_ON,
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
    settings: { auction_type: 'first', timeout_ms: 200 },
    formerSettings: { charge_on: 'win' },
    documentation: 'https://docs.unity.com/grow/exchange/bid-responses',
    readOn: READ_ON,
    facts: [
      { field: 'auction_type', text: 'All auctions are first price auctions.', source: UNITY_START },
      {
        field: 'charge_on',
        text: 'Ads are cached ahead. An impression counts when the ad is shown; the billing notice (`burl`) is sent then.',
        source: UNITY_FAQ,
      },
      {
        field: 'price_format',
        text: 'Encrypted prices are recommended and not required. Agree on it with the exchange.',
        source: UNITY_FAQ,
      },
      {
        field: 'timeout_ms',
        text: 'A bid response has to arrive within 200 milliseconds; the account manager can allow more.',
        source: UNITY,
      },
    ],
  },
  {
    slug: 'smaato',
    name: 'Smaato',
    settings: {},
    documentation: 'https://developers.smaato.com/marketers/openrtb-getting-started/',
    readOn: READ_ON,
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
    readOn: READ_ON,
    facts: [
      {
        field: 'auction_type',
        text: 'Each request says in `at` whether it is a first or a second price auction.',
        source: PUBMATIC_AUCTION,
      },
      {
        field: 'charge_on',
        text: 'It sends no win notice (document of OpenRTB 2.3). Ask it whether it sends the billing notice (`burl`), or charges the impression.',
        source: PUBMATIC,
      },
      {
        field: 'timeout_ms',
        text: 'It waits at most 100 milliseconds and does not send `tmax` (document of OpenRTB 2.3).',
        source: PUBMATIC,
      },
      {
        field: 'seat',
        text: 'A bid without a seat id does not take part in the auction. It is a number (document of OpenRTB 2.3).',
        source: PUBMATIC,
      },
    ],
  },
  {
    slug: 'magnite',
    name: 'Magnite',
    settings: {},
    documentation: 'https://help.magnite.com/help/openrtb-specification',
    readOn: READ_ON,
    facts: [],
  },
];

/** The settings of a profile on which nothing public was found, so that it has the value of OpenRTB. */
export function unknownFields({ facts }: ExchangeProfile): ProfileField[] {
  return PROFILE_FIELDS.filter((field) => !facts.some((fact) => fact.field === field));
}

/** A setting from an earlier version of the exchange's profile that the exchange's documentation now contradicts. */
export interface ProfileChange extends ProfileFact {
  /** The present setting. */
  setting: string | number | null;
  /** The setting that follows its documentation now. */
  documented: string | number | null;
}

/**
 * The settings of an exchange that equal an earlier version of its profile. A profile belongs to an exchange by its id, alone or
 * before a dash (`unity`, `unity-us`), or by its name. Settings that an operator changed are not included.
 */
export function profileChangesOf(
  exchange: Pick<SspInput, ProfileField | 'name'> & { slug: string },
): ProfileChange[] {
  const profile = exchangeProfiles.find(
    ({ slug, name }) =>
      exchange.slug === slug ||
      exchange.slug.startsWith(`${slug}-`) ||
      exchange.name.toLowerCase() === name.toLowerCase(),
  );
  if (!profile?.formerSettings) return [];
  const { formerSettings, settings, facts } = profile;
  return facts.flatMap((fact) => {
    const { field } = fact;
    if (!Object.hasOwn(formerSettings, field) || exchange[field] !== formerSettings[field]) return [];
    const documented = settings[field] ?? SspInput.shape[field].parse(undefined);
    return [{ ...fact, setting: exchange[field], documented }];
  });
}
