import {
  type ExchangeRule,
  type ExchangeRules,
  PROFILE_SLUGS,
  type ProfileSlug,
  type RuleName,
  rulesByName,
} from './exchange-rules.ts';
import { OWN_LOSS_REASONS } from '../bid-log/loss-reasons.ts';
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
  slug: ProfileSlug;
  name: string;
  /** Values that differ from OpenRTB's. */
  settings: ProfileSettings;
  /** Values that this profile began with before its sources said otherwise. */
  formerSettings?: ProfileSettings;
  facts: readonly ProfileFact[];
  /** What it demands beyond settings. */
  rules: readonly ExchangeRule[];
  /** The day when its sources were last read, YYYY-MM-DD. */
  readOn: string;
  /** Its public documentation as a whole; null where none is known. */
  documentation: string | null;
}

const OPENRTB = 'https://github.com/InteractiveAdvertisingBureau/openrtb2.x/blob/main/2.6.md';
const APPLOVIN = 'https://support.axon.ai/en/max/demand-partners/auction-dynamics';
const APPLOVIN_RESPONSES =
  'https://support.axon.ai/en/max/demand-partners/demand-side-platforms/applovin-ortb-specification/bid-responses';
const BIDSWITCH = 'https://protocol.bidswitch.com/standards/bidrequest.html';
const BIDSWITCH_MACROS = 'https://protocol.bidswitch.com/standards/macros.html';
const BIDSWITCH_WEIGHT = 'https://protocol.bidswitch.com/support/smart-switching-bid-weight.html';
const UNITY = 'https://docs.unity.com/grow/exchange/bid-responses';
const UNITY_FAQ = 'https://docs.unity.com/grow/exchange/faq';
const UNITY_START = 'https://docs.unity.com/demand-side-partners/en-us/manual/GettingStarted';
const UNITY_TYPES =
  'https://docs.unity3d.com/Packages/com.unity.ads@3.5/manual/ProgrammaticBidResponses.html';
const INMOBI_AUCTION = 'https://support.inmobi.com/advertise/platform/auction';
const INMOBI_BILLING = 'https://support.inmobi.com/advertise/platform/impression-tracking';
const INMOBI_RESPONSES = 'https://support.inmobi.com/advertise/integration/ortb-specs/bid-responses-dsp';
const GOOGLE_PRICES = 'https://developers.google.com/authorized-buyers/rtb/response-guide/decrypt-price';
const GOOGLE_BILLING = 'https://developers.google.com/authorized-buyers/rtb/billing-event-guide';
const GOOGLE_AUCTION = 'https://support.google.com/authorizedbuyers/answer/6077702';
const PUBMATIC = 'https://community.pubmatic.com/display/BA/OpenRTB+2.3+PubMatic+Extensions';
const PUBMATIC_AUCTION = 'https://community.pubmatic.com/display/SSP/Support+for+First-Price+Auctions+FAQs';
const APPLOVIN_START =
  'https://support.axon.ai/en/max/demand-partners/demand-side-platforms/applovin-ortb-specification/introduction';
const APPLOVIN_REQUESTS =
  'https://support.axon.ai/en/max/demand-partners/demand-side-platforms/applovin-ortb-specification/bid-requests';
const UNITY_REQUESTS = 'https://docs.unity.com/demand-side-partners/manual/BidRequests';
const UNITY_LOSSES = 'https://docs.unity.com/en-us/grow/exchange/loss-notifications';
const INMOBI_START = 'https://support.inmobi.com/advertise/integration/ortb-specs/getting-started-dsp';
const GOOGLE_BUYERS = 'https://developers.google.com/authorized-buyers/rtb/response-guide/bid-multiple';
const GOOGLE_PROTO = 'https://developers.google.com/authorized-buyers/rtb/downloads/openrtb-adx-proto';
const GOOGLE_FEEDBACK =
  'https://developers.google.com/authorized-buyers/rtb/request-guide#real-time-feedback';
const GOOGLE_CREATIVES = 'https://developers.google.com/authorized-buyers/apis/guides/rtb-api/creatives';
const VUNGLE_MRAID =
  'https://support.vungle.com/hc/en-us/articles/8709966237723-MRAID-Creatives-Submission-Guidelines-for-DSPs';
const VUNGLE_FORMATS =
  'https://support.vungle.com/hc/en-us/articles/8561641514907-Vungle-Exchange-OpenRTB-2-5-HTML-MRAID-and-VAST-Protocols';
const DIGITAL_TURBINE =
  'https://developer.digitalturbine.com/hc/en-us/articles/360011779057-Ad-Request-and-Response-Mechanics';
const XANDR = 'https://learn.microsoft.com/en-us/xandr/bidders/incoming-bid-response-from-bidders';
const XANDR_AUDIT = 'https://learn.microsoft.com/en-us/xandr/bidders/audit-notify-request';
const XANDR_LOSSES = 'https://learn.microsoft.com/en-us/xandr/bidders/loss-reason-codes';
const READ_ON = '2026-11-29';

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
    rules: [
      {
        rule: 'min_to_win',
        value: { win: '${AUCTION_MIN_TO_WIN}', billing: null, loss: '${AUCTION_MIN_TO_WIN}' },
        text: 'Notices may carry the lowest price that would have won in ${AUCTION_MIN_TO_WIN}.',
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
    rules: [
      {
        rule: 'billing_id',
        value: true,
        text: 'A bid names one of the billing ids of the request. Where there are several, a bid without one is dropped.',
        source: GOOGLE_BUYERS,
      },
      {
        rule: 'excluded_creatives',
        value: true,
        text: 'A bid with one of the creatives that the request excludes is dropped before the auction.',
        source: GOOGLE_PROTO,
      },
      {
        rule: 'bid_feedback',
        value: true,
        text: 'With real-time feedback, later requests say how earlier bids ended, and at which price they would have won. Ask for it.',
        source: GOOGLE_FEEDBACK,
      },
      {
        rule: 'loss_codes',
        value: {},
        text: 'Feedback says in its creative status code why a bid did not win.',
        source: GOOGLE_FEEDBACK,
      },
      {
        rule: 'creative_review',
        value: 'google',
        text: 'Creatives are submitted and reviewed, about 30 minutes each. Bids with others are dropped; after 15 days without a bid a creative is inactive.',
        source: GOOGLE_CREATIVES,
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
    rules: [
      { rule: 'imps_max', value: 1, text: 'Each request has one imp.', source: APPLOVIN_REQUESTS },
      { rule: 'gzip_requests', value: true, text: 'Requests are compressed.', source: APPLOVIN_START },
      {
        rule: 'gzip_responses',
        value: true,
        text: 'Compression is required, as in section 2.4 of OpenRTB 2.5.',
        source: APPLOVIN_START,
      },
      {
        rule: 'idle_seconds',
        value: 300,
        text: 'Connections have to stay open for at least five minutes without a request.',
        source: APPLOVIN_START,
      },
      {
        rule: 'min_to_win',
        value: { win: '${AUCTION_MINIMUM_BID_TO_WIN}', billing: null, loss: null },
        text: 'The win notice carries the second highest bid in ${AUCTION_MINIMUM_BID_TO_WIN}; 0 where there was no other. Other notices do not.',
        source: APPLOVIN_RESPONSES,
      },
      {
        rule: 'loss_codes',
        value: OWN_LOSS_REASONS.applovin!,
        text: 'Loss code 103 says that a campaign which the publisher sold directly won.',
        source: APPLOVIN_RESPONSES,
      },
    ],
  },
  {
    slug: 'mintegral',
    name: 'Mintegral',
    settings: {},
    documentation: null,
    readOn: READ_ON,
    facts: [],
    rules: [],
  },
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
    rules: [
      {
        rule: 'gzip_requests',
        value: true,
        text: 'Requests are compressed with gzip.',
        source: INMOBI_START,
      },
      { rule: 'gzip_responses', value: true, text: 'It expects compressed responses.', source: INMOBI_START },
      {
        rule: 'bid_fields',
        value: ['burl', 'seat'],
        text: 'Bids need a seat, and a billing notice or impression trackers.',
        source: INMOBI_BILLING,
      },
      {
        rule: 'no_bid_body',
        value: true,
        text: 'The recommended no-bid is a body with an empty `seatbid` and a reason in `nbr`.',
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
    rules: [
      { rule: 'imps_max', value: 1, text: 'Each request has one imp.', source: UNITY_REQUESTS },
      {
        rule: 'https',
        value: true,
        text: 'All URLs that Unity calls have to begin with https.',
        source: UNITY_FAQ,
      },
      { rule: 'gzip_requests', value: true, text: 'Unity can send compressed requests.', source: UNITY_FAQ },
      {
        rule: 'gzip_responses',
        value: true,
        text: 'Unity requires compressed responses by default.',
        source: UNITY_FAQ,
      },
      {
        rule: 'deadline_ms',
        value: 200,
        text: 'The deadline of a bid response is 200 ms.',
        source: UNITY,
      },
      {
        rule: 'idle_seconds',
        value: 90,
        text: 'Connections, also of load balancers, should stay open for at least 90 seconds without a request.',
        source: UNITY,
      },
      {
        rule: 'cached_seconds',
        value: 7200,
        text: 'Ads are cached ahead, and may be shown up to 120 minutes after the auction.',
        source: UNITY_FAQ,
      },
      {
        rule: 'creative_types',
        value: { html: 'HTML', mraid: 'MRAID playable', vast: 'VAST' },
        text: 'A bid states the type of its creative in `crtype`. A bid without one is rejected. Native ads have no type and get no bids.',
        source: UNITY_TYPES,
      },
      {
        rule: 'bid_fields',
        value: ['adomain', 'burl', 'seat'],
        text: 'A bid needs a seat, the domain of its advertiser and a billing notice.',
        source: UNITY_TYPES,
      },
      {
        rule: 'loss_codes',
        value: OWN_LOSS_REASONS.unity!,
        text: 'Codes above 999 are its own. Those without a name here are shown as a code of the exchange.',
        source: UNITY_LOSSES,
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
    rules: [],
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
    rules: [
      {
        rule: 'bid_fields',
        value: ['adomain', 'attr', 'cid', 'crid', 'iurl', 'seat'],
        text: 'A bid without one of these does not take part in the auction (document of OpenRTB 2.3).',
        source: PUBMATIC,
      },
      { rule: 'deadline_ms', value: 100, text: 'It waits at most 100 milliseconds.', source: PUBMATIC },
    ],
  },
  {
    slug: 'magnite',
    name: 'Magnite',
    settings: {},
    documentation: 'https://help.magnite.com/help/openrtb-specification',
    readOn: READ_ON,
    facts: [],
    rules: [],
  },

  {
    slug: 'vungle',
    name: 'Liftoff / Vungle',
    settings: {},
    documentation:
      'https://support.vungle.com/hc/en-us/articles/360045953431-Vungle-Exchange-OpenRTB-2-5-Integration-Guide',
    readOn: READ_ON,
    facts: [],
    rules: [
      {
        rule: 'mraid_crtype',
        value: 'MRAID 2.0',
        text: 'A bid with an MRAID ad says so in `ext.crtype`. Its own close button and frames are not supported.',
        source: VUNGLE_MRAID,
      },
      {
        rule: 'playable_attributes',
        value: [13],
        text: 'A bid with a playable states the attribute 13. A request that blocks 13 takes no playables.',
        source: VUNGLE_MRAID,
      },
      {
        rule: 'vast_versions',
        value: ['2.0', '3.0'],
        text: 'It takes VAST 2.0 and 3.0, and no video in MRAID.',
        source: VUNGLE_FORMATS,
      },
    ],
  },
  {
    slug: 'digital-turbine',
    name: 'Digital Turbine',
    settings: { timeout_ms: 300 },
    documentation: 'https://docs.digitalturbine.com/dt-exchange/advertisers/dt-exchange-openrtb-2.5-specs',
    readOn: READ_ON,
    facts: [
      {
        field: 'timeout_ms',
        text: 'A bid response has to arrive within 300 milliseconds.',
        source: DIGITAL_TURBINE,
      },
    ],
    rules: [
      {
        rule: 'deadline_ms',
        value: 300,
        text: 'A bid response has to arrive within 300 milliseconds.',
        source: DIGITAL_TURBINE,
      },
      {
        rule: 'bid_fields',
        value: ['adomain', 'burl', 'crid', 'nurl'],
        text: 'A bid needs its id, a price in dollars, win and billing notice, creative id and advertiser domain, and the size where there is one.',
        source: DIGITAL_TURBINE,
      },
    ],
  },
  {
    slug: 'xandr',
    name: 'Xandr',
    settings: {},
    documentation: XANDR,
    readOn: READ_ON,
    facts: [
      {
        field: 'seat',
        text: 'The seat is the id of the member whose creative is bid. It is a number.',
        source: XANDR,
      },
    ],
    rules: [
      {
        rule: 'member_seat',
        value: true,
        text: 'The seat of each bid is the number of the member there.',
        source: XANDR,
      },
      {
        rule: 'creative_code',
        value: true,
        text: 'A bid names a registered creative: by the code with which it was registered, in `ext.appnexus.crcode`.',
        source: XANDR,
      },
      {
        rule: 'loss_codes',
        value: {},
        text: 'Loss notices have the codes of OpenRTB. They have to be switched on for a bidder.',
        source: XANDR_LOSSES,
      },
      {
        rule: 'creative_review',
        value: 'xandr',
        text: 'Creatives are registered and audited before they may win. A notice says when the audit ends.',
        source: XANDR_AUDIT,
      },
    ],
  },
  {
    slug: 'pangle',
    name: 'Pangle',
    settings: {},
    documentation: null,
    readOn: READ_ON,
    facts: [],
    rules: [],
  },
  {
    slug: 'bidmachine',
    name: 'BidMachine',
    settings: {},
    documentation: null,
    readOn: READ_ON,
    facts: [],
    rules: [],
  },
  {
    slug: 'bidswitch',
    name: 'BidSwitch',
    settings: {},
    documentation: BIDSWITCH,
    readOn: '2026-11-30',
    facts: [
      {
        field: 'auction_type',
        text: 'A request says in `at` whether it is a first or a second price auction; the default is the second price.',
        source: BIDSWITCH,
      },
      {
        field: 'price_macro',
        text: 'Notices carry the clearing price per thousand in ${AUCTION_PRICE}.',
        source: BIDSWITCH_MACROS,
      },
      {
        field: 'timeout_ms',
        text: 'Each request says in `tmax` how long it waits, with the time on the network.',
        source: BIDSWITCH,
      },
    ],
    rules: [
      {
        rule: 'request_weight',
        value: true,
        text: 'SmartSwitch sends a part of the requests at which a win is unlikely. `ext.wt` says for how many requests each stands.',
        source: BIDSWITCH_WEIGHT,
      },
    ],
  },
];

/** The settings of a profile on which nothing public was found, so that it has the value of OpenRTB. */
export function unknownFields({ facts }: ExchangeProfile): ProfileField[] {
  return PROFILE_FIELDS.filter((field) => !facts.some((fact) => fact.field === field));
}

/** Rules that each exchange may have: a profile says of each what is documented. */
const ASKED_RULES = [
  'gzip_responses',
  'idle_seconds',
  'min_to_win',
  'cached_seconds',
  'loss_codes',
  'creative_review',
] as const satisfies readonly RuleName[];

/** The rules on which nothing public was found for a profile: it is treated as OpenRTB says. */
export function unknownRules({ slug, rules }: ExchangeProfile): RuleName[] {
  return slug === 'openrtb' ? [] : ASKED_RULES.filter((name) => !rules.some(({ rule }) => rule === name));
}

const profilesBySlug = new Map(exchangeProfiles.map((profile) => [profile.slug, profile]));
const rulesBySlug = new Map(exchangeProfiles.map(({ slug, rules }) => [slug, rulesByName(rules)]));

/** The profile with a slug. */
export function profileOf(slug: ProfileSlug): ExchangeProfile {
  return profilesBySlug.get(slug)!;
}

/** The rules of a profile by name: the same object each time. */
export function rulesOf(slug: ProfileSlug): ExchangeRules {
  return rulesBySlug.get(slug)!;
}

/** The profile that an exchange without one gets: by its id, alone or before a dash (`unity`, `unity-us`), or by its name. */
export function guessedProfile(exchange: { slug: string; name: string }): ProfileSlug {
  return (
    PROFILE_SLUGS.find(
      (slug) =>
        exchange.slug === slug ||
        exchange.slug.startsWith(`${slug}-`) ||
        exchange.name.toLowerCase() === profileOf(slug).name.toLowerCase(),
    ) ?? 'openrtb'
  );
}

/** A setting from an earlier version of the exchange's profile that the exchange's documentation now contradicts. */
export interface ProfileChange extends ProfileFact {
  /** The present setting. */
  setting: string | number | null;
  /** The setting that follows its documentation now. */
  documented: string | number | null;
}

/**
 * The settings of an exchange that equal an earlier version of its profile. Settings that an operator changed are not
 * included.
 */
export function profileChangesOf(
  exchange: Pick<SspInput, ProfileField> & { profile: ProfileSlug },
): ProfileChange[] {
  const { formerSettings, settings, facts } = profileOf(exchange.profile);
  if (!formerSettings) return [];
  return facts.flatMap((fact) => {
    const { field } = fact;
    if (!Object.hasOwn(formerSettings, field) || exchange[field] !== formerSettings[field]) return [];
    const documented = settings[field] ?? SspInput.shape[field].parse(undefined);
    return [{ ...fact, setting: exchange[field], documented }];
  });
}
