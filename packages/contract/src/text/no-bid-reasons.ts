/**
 * Why a bid request, or one imp of it, got no bid, in the order of the checks. `step`: the step of the delivery funnel that a request
 * with this reason does not reach, null if the request ends before ad sets are checked. `nbr`: OpenRTB 2.6, 5.24 "No-Bid Reason
 * Codes", 0 where it has none. `name`: as in an advertiser's list of reasons. `sentence`: as operators read it. `outbid` is the reason of an
 * ad set only: another one of this platform bid more.
 */
const REASONS = [
  {
    code: 'unreadable',
    step: null,
    nbr: 2,
    sentence: 'The request cannot be read',
  },
  {
    code: 'unknown_exchange',
    step: null,
    nbr: 0,
    sentence: 'The exchange is not known',
  },
  {
    code: 'bidding_stopped',
    step: null,
    nbr: 0,
    sentence: 'An operator has stopped all bidding',
  },
  {
    code: 'no_tracker',
    step: null,
    nbr: 1,
    sentence: 'No tracker accepts events',
  },
  {
    code: 'event_log',
    step: null,
    nbr: 1,
    sentence: 'Events cannot be stored',
  },
  {
    code: 'too_many_requests',
    step: null,
    nbr: 1,
    sentence: 'Above the limit of requests per second',
  },
  {
    code: 'shed',
    step: null,
    nbr: 1,
    sentence: 'Could not be answered in time (overload)',
  },
  {
    code: 'bot',
    step: null,
    nbr: 3,
    sentence: 'From a bot, by its user agent',
  },
  {
    code: 'datacenter',
    step: null,
    nbr: 5,
    sentence: 'From a data center, by its address',
  },
  { code: 'timeout', step: 'sent', nbr: 15, name: 'Too late', sentence: 'Too late' },
  { code: 'not_in_app', step: 'open', nbr: 0, name: 'Not in an app', sentence: 'Not in an app' },
  {
    code: 'currency',
    step: 'open',
    nbr: 0,
    name: 'Currency without a rate',
    sentence: 'No rate for the currency',
  },
  {
    code: 'floor_unreadable',
    step: 'open',
    nbr: 2,
    name: 'Floor cannot be read',
    sentence: 'The floor cannot be read',
  },
  {
    code: 'seat_not_allowed',
    step: 'open',
    nbr: 0,
    name: 'Not offered to this seat',
    sentence: 'Our seat is not allowed',
  },
  {
    code: 'dsa_not_rendered',
    step: 'placed',
    nbr: 0,
    name: 'Publisher does not show who paid',
    sentence: 'The ad would have to show who paid for it',
  },
  { code: 'private_auction', step: 'placed', nbr: 0, name: 'Private auction', sentence: 'Only for deals' },
  {
    code: 'not_secure',
    step: 'placed',
    nbr: 0,
    name: 'Secure addresses required',
    sentence: 'Needs https, which this server does not have',
  },
  { code: 'no_active_adset', step: null, nbr: 0, name: 'No ad set runs', sentence: 'No ad set runs' },
  {
    code: 'no_matching_format',
    step: 'placed',
    nbr: 0,
    name: 'No creative of the format',
    sentence: 'No creative of this format',
  },
  {
    code: 'blocked_ad_type',
    step: 'placed',
    nbr: 0,
    name: 'Type of ad blocked',
    sentence: 'Type of ad is blocked',
  },
  {
    code: 'blocked_attribute',
    step: 'placed',
    nbr: 0,
    name: 'Attribute of the creative blocked',
    sentence: 'Attribute of the creative is blocked',
  },
  {
    code: 'not_linear',
    step: 'placed',
    nbr: 0,
    name: 'Overlay videos only',
    sentence: 'Video is not linear',
  },
  {
    code: 'api_not_accepted',
    step: 'placed',
    nbr: 0,
    name: 'Playables not supported',
    sentence: 'API framework is not supported',
  },
  {
    code: 'protocol_not_accepted',
    step: 'placed',
    nbr: 0,
    name: 'VAST version not supported',
    sentence: 'VAST version is not accepted',
  },
  {
    code: 'delivery_not_accepted',
    step: 'placed',
    nbr: 0,
    name: 'Delivery of videos not supported',
    sentence: 'Delivery of the video is not accepted',
  },
  {
    code: 'no_matching_size',
    step: 'placed',
    nbr: 0,
    name: 'No creative of the size',
    sentence: 'No creative of this size',
  },
  {
    code: 'mime_not_accepted',
    step: 'placed',
    nbr: 0,
    name: 'File type not accepted',
    sentence: 'Content type is not accepted',
  },
  {
    code: 'video_duration',
    step: 'placed',
    nbr: 0,
    name: 'Video too long or too short',
    sentence: 'Duration of the video is not accepted',
  },
  {
    code: 'video_bitrate',
    step: 'placed',
    nbr: 0,
    name: 'Bit rate of the video not accepted',
    sentence: 'Bitrate of the video is not accepted',
  },
  {
    code: 'video_orientation',
    step: 'placed',
    nbr: 0,
    name: 'Orientation of the video not accepted',
    sentence: 'Orientation of the video is not accepted',
  },
  {
    code: 'native_assets',
    step: 'placed',
    nbr: 0,
    name: 'Native assets missing',
    sentence: 'A required asset of the native ad is missing',
  },
  {
    code: 'rewarded',
    step: 'placed',
    nbr: 0,
    name: 'Rewarded ads only',
    sentence: 'Rewarded: needs a video or playable',
  },
  {
    code: 'campaign_not_running',
    step: 'targeted',
    nbr: 0,
    name: 'Outside the dates of the campaign',
    sentence: 'Campaign is outside its dates',
  },
  {
    code: 'os',
    step: 'targeted',
    nbr: 6,
    name: 'Another operating system',
    sentence: 'Operating system is not targeted',
  },
  { code: 'country', step: 'targeted', nbr: 0, name: 'Another country', sentence: 'Country is not targeted' },
  {
    code: 'region',
    step: 'targeted',
    nbr: 0,
    name: 'Another region, or none',
    sentence: 'Region is not targeted',
  },
  {
    code: 'city',
    step: 'targeted',
    nbr: 0,
    name: 'Another city, or none',
    sentence: 'City is not targeted',
  },
  {
    code: 'postal_code',
    step: 'targeted',
    nbr: 0,
    name: 'Another postal code, or none',
    sentence: 'Postal code is not targeted',
  },
  {
    code: 'radius',
    step: 'targeted',
    nbr: 0,
    name: 'Outside of the radius, or location not known',
    sentence: 'Outside of the radius',
  },
  {
    code: 'exchange',
    step: 'targeted',
    nbr: 0,
    name: 'Another exchange',
    sentence: 'Exchange is not targeted',
  },
  {
    code: 'device_type',
    step: 'targeted',
    nbr: 6,
    name: 'Another type of device',
    sentence: 'Type of device is not targeted',
  },
  {
    code: 'os_version',
    step: 'targeted',
    nbr: 6,
    name: 'Another version of the system',
    sentence: 'OS version is not targeted',
  },
  {
    code: 'device_model',
    step: 'targeted',
    nbr: 6,
    name: 'Another device model',
    sentence: 'Device model is not targeted',
  },
  {
    code: 'connection_type',
    step: 'targeted',
    nbr: 0,
    name: 'Another connection',
    sentence: 'Connection is not targeted',
  },
  {
    code: 'carrier',
    step: 'targeted',
    nbr: 0,
    name: 'Another carrier, or none',
    sentence: 'Carrier is not targeted',
  },
  {
    code: 'device_id',
    step: 'targeted',
    nbr: 0,
    name: 'Advertising ID not as targeted',
    sentence: 'Advertising ID is not as targeted',
  },
  {
    code: 'placement_kind',
    step: 'targeted',
    nbr: 0,
    name: 'Another kind of placement',
    sentence: 'Kind of placement is not targeted',
  },
  {
    code: 'language',
    step: 'targeted',
    nbr: 0,
    name: 'Another language',
    sentence: 'Language is not targeted',
  },
  {
    code: 'genre',
    step: 'targeted',
    nbr: 0,
    name: 'Another genre',
    sentence: 'Genre of the app is not targeted',
  },
  {
    code: 'bundle_black_listed',
    step: 'targeted',
    nbr: 7,
    name: 'On the blocklist',
    sentence: 'App is on the blocklist',
  },
  {
    code: 'bundle_not_white_listed',
    step: 'targeted',
    nbr: 7,
    name: 'Not on the allowlist',
    sentence: 'App is not on the allowlist',
  },
  {
    code: 'own_app',
    step: 'targeted',
    nbr: 7,
    name: 'In the advertised app itself',
    sentence: 'The app is the advertised app',
  },
  {
    code: 'out_of_hours',
    step: 'targeted',
    nbr: 0,
    name: 'Outside the hours of the ad set',
    sentence: 'Outside the hours of the ad set',
  },
  {
    code: 'audience_unknown',
    step: 'targeted',
    nbr: 0,
    name: 'No id to look up in audiences',
    sentence: 'The person cannot be looked up in audiences',
  },
  {
    code: 'audience_excluded',
    step: 'targeted',
    nbr: 0,
    name: 'In an excluded audience',
    sentence: 'The person is in an excluded audience',
  },
  {
    code: 'audience_not_included',
    step: 'targeted',
    nbr: 0,
    name: 'Not in the audiences',
    sentence: 'The person is not in the audiences',
  },
  {
    code: 'audience_not_loaded',
    step: 'targeted',
    nbr: 0,
    name: 'Audience not loaded yet',
    sentence: 'The audience is not in memory',
  },
  {
    code: 'blocked_app',
    step: 'placed',
    nbr: 0,
    name: 'App blocked by the publisher',
    sentence: 'The exchange blocks the advertised app',
  },
  {
    code: 'blocked_advertiser',
    step: 'placed',
    nbr: 0,
    name: 'Advertiser blocked by the publisher',
    sentence: 'The exchange blocks the advertiser',
  },
  {
    code: 'blocked_category',
    step: 'placed',
    nbr: 0,
    name: 'Category blocked by the publisher',
    sentence: 'The exchange blocks the category',
  },
  {
    code: 'category_not_allowed',
    step: 'placed',
    nbr: 0,
    name: 'Category not allowed',
    sentence: 'Category is not allowed',
  },
  {
    code: 'creative_language',
    step: 'placed',
    nbr: 0,
    name: 'Language of the creative not accepted',
    sentence: 'Language of the creative is not allowed',
  },
  {
    code: 'insecure_address',
    step: 'placed',
    nbr: 0,
    name: 'View URL without https',
    sentence: 'Its view URL is not https',
  },
  {
    code: 'dsa_unknown',
    step: 'placed',
    nbr: 0,
    name: 'Name of the advertiser missing',
    sentence: 'Name of the advertiser is unknown',
  },
  {
    code: 'billing_id',
    step: 'placed',
    nbr: 0,
    name: 'Not billed to this company',
    sentence: 'None of its billing ids is a billing id of the company',
  },
  {
    code: 'creative_excluded',
    step: 'placed',
    nbr: 0,
    name: 'Creative excluded by the exchange',
    sentence: 'The exchange excludes its creatives',
  },
  {
    code: 'creative_not_approved',
    step: 'placed',
    nbr: 0,
    name: 'Creative not approved by the exchange',
    sentence: 'The exchange has not approved its creatives',
  },
  { code: 'floor', step: 'above_floor', nbr: 0, name: 'Below the floor', sentence: 'Below the floor' },
  {
    code: 'no_person_key',
    step: 'uncapped',
    nbr: 8,
    name: 'Person without an id',
    sentence: 'No id identifies the person, whom the ad set skips',
  },
  {
    code: 'capped',
    step: 'uncapped',
    nbr: 9,
    name: 'Frequency cap reached',
    sentence: 'The person has reached a frequency cap',
  },
  {
    code: 'overloaded',
    step: 'funded',
    nbr: 1,
    name: 'Too many bids in progress',
    sentence: 'Too many bids are open',
  },
  {
    code: 'no_lease',
    step: 'funded',
    nbr: 0,
    name: 'No share of the budget at that moment',
    sentence: 'No budget leased yet',
  },
  {
    code: 'country_budget',
    step: 'funded',
    nbr: 0,
    name: 'Daily budget of the country used up',
    sentence: 'Daily budget of the country is spent',
  },
  { code: 'pacing', step: 'funded', nbr: 0, name: 'Skipped by pacing', sentence: 'Held back by pacing' },
  {
    code: 'daily_budget',
    step: 'funded',
    nbr: 0,
    name: 'Daily budget used up',
    sentence: 'Daily budget is spent',
  },
  {
    code: 'total_budget',
    step: 'funded',
    nbr: 0,
    name: 'Total budget used up',
    sentence: 'Total budget is spent',
  },
  { code: 'balance', step: 'funded', nbr: 0, name: 'Balance used up', sentence: 'Balance is spent' },
  {
    code: 'already_bid',
    step: null,
    nbr: 0,
    sentence: 'Bids on another imp already',
  },
  {
    code: 'answer_too_long',
    step: 'sent',
    nbr: 0,
    name: 'Response too long for the exchange',
    sentence: 'Response would be too long',
  },
  {
    code: 'markup_failed',
    step: 'sent',
    nbr: 0,
    name: 'Ad could not be rendered',
    sentence: 'Markup could not be made',
  },
  {
    code: 'outbid',
    step: 'chosen',
    nbr: 0,
    name: 'Another ad set bid more',
    sentence: 'Another ad set bid more',
  },
] as const;

type Reason = (typeof REASONS)[number];
/** Why a request left the funnel of an ad set. */
export type FunnelExit = Extract<Reason, { step: string }>['code'];
export type FunnelStep = Extract<Reason, { step: string }>['step'];
/** Why a request got no bid. */
export type NoBidReason = Exclude<Reason['code'], 'outbid'>;

/** In the order of the checks: when several ad sets fail, the latest check that any of them reached gives the reason. */
export const NO_BID_REASONS: readonly NoBidReason[] = REASONS.flatMap(({ code }) =>
  code === 'outbid' ? [] : [code],
);

const byCode = new Map<string, Reason>(REASONS.map((reason) => [reason.code, reason]));

/** OpenRTB's code of a reason; 0, "unknown error", where it has none. */
export function nbrOf(reason: NoBidReason): number {
  return byCode.get(reason)!.nbr;
}

/** The sentence of a reason for operators; its code where this release does not know it. */
export function noBidText(reason: string): string {
  return byCode.get(reason)?.sentence ?? reason.replaceAll('_', ' ');
}

/** Why requests did not reach a step, as in a list of reasons. */
export function exitName(exit: FunnelExit): string {
  return (byCode.get(exit) as Extract<Reason, { step: string }>).name;
}

/** The same within a sentence. */
export function exitWords(exit: FunnelExit): string {
  const name = exitName(exit);
  return /^[A-Z][a-z]/.test(name) ? name[0]!.toLowerCase() + name.slice(1) : name;
}

/** The exits of a step of the funnel, in the order of the checks. */
export function exitsOf(step: FunnelStep): readonly FunnelExit[] {
  return REASONS.flatMap((reason) => (reason.step === step ? [reason.code as FunnelExit] : []));
}
