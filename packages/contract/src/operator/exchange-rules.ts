/** Slugs of the profiles of exchanges. */
export const PROFILE_SLUGS = [
  'openrtb',
  'google',
  'applovin',
  'mintegral',
  'inmobi',
  'unity',
  'smaato',
  'pubmatic',
  'magnite',
  'vungle',
  'digital-turbine',
  'xandr',
  'pangle',
  'bidmachine',
  'bidswitch',
] as const;
export type ProfileSlug = (typeof PROFILE_SLUGS)[number];

/** The macro, by notice, that an exchange replaces by the lowest price that would have won; null where it replaces none. */
export interface MinToWinMacros {
  win: string | null;
  billing: string | null;
  loss: string | null;
}

/** A field of a bid or its response that an exchange may need, by its name in OpenRTB. */
export type BidField =
  | 'adomain'
  | 'attr'
  | 'burl'
  | 'cid'
  | 'crid'
  | 'iurl'
  | 'lurl'
  | 'nurl'
  | 'seat'
  | 'w'
  | 'h';

/** The type of creative that an exchange expects of HTML, of markup that needs MRAID, and of VAST. */
export interface CreativeTypes {
  html: string;
  mraid: string;
  vast: string;
}

/** What an exchange demands beyond its settings, by rule. */
export interface RuleValues {
  /** Most imps of a request; bids answer the first ones only. */
  imps_max: number;
  /** Every address of a bid has to begin with https, whatever the imp says. */
  https: true;
  /** Bid responses have to be compressed with gzip. */
  gzip_responses: true;
  /** Bid requests are compressed with gzip. */
  gzip_requests: true;
  /** How long it waits for the response, ms. */
  deadline_ms: number;
  /** How long the connections of the bidder have to stay open without a request, seconds. */
  idle_seconds: number;
  min_to_win: MinToWinMacros;
  /** Fields without which it rejects a bid. */
  bid_fields: readonly BidField[];
  /** How long after the auction an ad may be shown, seconds. */
  cached_seconds: number;
  /** Names of its own loss codes, and of codes that mean something else than in OpenRTB. */
  loss_codes: Readonly<Record<number, string>>;
  /** `bid.ext.crtype` of markup that needs MRAID. */
  mraid_crtype: string;
  /** `bid.crtype` of each kind of markup. */
  creative_types: CreativeTypes;
  /** Creative attributes (AdCOM 1.0) that a bid with a playable has to state. */
  playable_attributes: readonly number[];
  /** Versions of VAST that it accepts where a request names none. */
  vast_versions: readonly string[];
  /** It asks for a body with `nbr` in place of an empty response. */
  no_bid_body: true;
  /** A bid names one of the request's billing ids (`imp.ext.billing_id`), in `cid` and `ext.billing_id`. */
  billing_id: true;
  /** Requests name creatives that may not be bid (`imp.ext.excluded_creatives`). */
  excluded_creatives: true;
  /** Later requests say how earlier bids ended (`ext.bid_feedback`). */
  bid_feedback: true;
  /** The seat is the number of the buyer's member there. */
  member_seat: true;
  /** A bid names its creative by the code with which it was registered, in `ext.appnexus.crcode`, and not in `adid`. */
  creative_code: true;
  /** It sends a part of the requests of lower value; each says how many it stands for (`ext.wt`). */
  request_weight: true;
  /** How it reviews creatives before they may win. */
  creative_review: 'google' | 'xandr';
}
export type RuleName = keyof RuleValues;

/** A rule of an exchange, with the statement of its documentation. */
export type ExchangeRule = {
  [Name in RuleName]: {
    rule: Name;
    value: RuleValues[Name];
    text: string;
    /** The page that says so. */
    source: string;
  };
}[RuleName];

/** The rules of an exchange by name; null where it has no such rule. */
export type ExchangeRules = { readonly [Name in RuleName]: RuleValues[Name] | null };

const NO_RULES: ExchangeRules = {
  imps_max: null,
  https: null,
  gzip_responses: null,
  gzip_requests: null,
  deadline_ms: null,
  idle_seconds: null,
  min_to_win: null,
  bid_fields: null,
  cached_seconds: null,
  loss_codes: null,
  mraid_crtype: null,
  creative_types: null,
  playable_attributes: null,
  vast_versions: null,
  no_bid_body: null,
  billing_id: null,
  excluded_creatives: null,
  bid_feedback: null,
  member_seat: null,
  creative_code: null,
  request_weight: null,
  creative_review: null,
};

/** All names of rules. */
export const RULE_NAMES = Object.keys(NO_RULES) as RuleName[];

/** The rules of a list by name. */
export function rulesByName(rules: readonly ExchangeRule[]): ExchangeRules {
  return Object.freeze({ ...NO_RULES, ...Object.fromEntries(rules.map(({ rule, value }) => [rule, value])) });
}
