import { lossReason } from '../bid-log/loss-reasons.ts';
import { profileOf, rulesOf } from './exchange-profiles.ts';
import type { BidField, ProfileSlug, RuleName, RuleValues } from './exchange-rules.ts';

/** A response to a bid request, as an exchange receives it. */
export interface ReceivedResponse {
  status: number;
  /** Its `content-encoding`; '' without one. */
  encoding: string;
  /** The body, decompressed; '' without one. */
  body: string;
  /** From sending the request to the end of the response, ms; null where it was not measured. */
  tookMs: number | null;
}

/** What is judged beyond the rules of a profile: OpenRTB itself, and the longest response. */
export type JudgedRule = RuleName | 'openrtb' | 'answer_bytes_max';

/** How a response follows one rule of an exchange. */
export interface Judgement {
  rule: JudgedRule;
  /** The rule in words, and the page that says so. */
  text: string;
  source: string;
  /** What the response does against it; null if it follows the rule. */
  fault: string | null;
  /** The loss code with which the exchange refuses it, and its meaning there. */
  code: number;
  reason: string;
}

type Json = Readonly<Record<string, unknown>>;

/** A response that was read, with the request. */
interface Facts {
  request: Json;
  response: ReceivedResponse;
  /** Null where the body is no JSON object. */
  body: Json | null;
  bids: readonly SeatedBid[];
}

interface SeatedBid {
  seat: string;
  bid: Json;
  /** Its markup; '' without any. */
  markup: string;
  /** The imp that it names; null where the request has none. */
  imp: Json | null;
}

/** What a response does against a rule; null if it follows it. */
type Fault = string | null;

/** Judges the response with the value of a rule. */
type Judge<Value> = (value: Value, facts: Facts) => Fault;

/** A judge of each bid; its first fault counts. */
const ofBids =
  <Value>(faultOf: (value: Value, bid: SeatedBid, facts: Facts) => Fault): Judge<Value> =>
  (value, facts) => {
    for (const bid of facts.bids) {
      const fault = faultOf(value, bid, facts);
      if (fault !== null) return fault;
    }
    return null;
  };

/** The rules that a response can break, in the order in which an exchange checks them. Others concern connections and accounts. */
const judges: { readonly [Name in RuleName]?: Judge<RuleValues[Name]> } = {
  deadline_ms: (limitMs, { response: { tookMs } }) =>
    tookMs !== null && tookMs > limitMs
      ? `The response took ${Math.ceil(tookMs)} ms of at most ${limitMs}.`
      : null,
  gzip_responses: (_value, { response }) =>
    response.body !== '' && response.encoding !== 'gzip' ? 'The response is not compressed.' : null,
  no_bid_body: (_value, { body, bids }) => {
    if (bids.length > 0) return null;
    const isWhole = Array.isArray(body?.['seatbid']) && typeof body['nbr'] === 'number';
    return isWhole ? null : 'The response without a bid has no `seatbid` and `nbr`.';
  },
  imps_max: (most, { bids }) => (bids.length > most ? `The response has ${bids.length} bids.` : null),
  bid_fields: ofBids((fields, { bid, seat }) => {
    const missing = fields.filter((field) => isMissing(field === 'seat' ? seat : bid[field], field));
    return missing.length > 0 ? `The bid has no ${missing.join(', ')}.` : null;
  }),
  https: ofBids((_value, { bid, markup }) => {
    const plain = ADDRESSES.find(
      (field) => typeof bid[field] === 'string' && !bid[field].startsWith('https:'),
    );
    if (plain) return `${plain} does not begin with https.`;
    return PLAIN_ADDRESS.test(markup) ? 'The markup has an address that does not begin with https.' : null;
  }),
  creative_types: ofBids(({ html, mraid, vast }, { bid, markup }) => {
    const wanted = isVast(markup) ? vast : needsMraid(markup) ? mraid : html;
    if (bid['crtype'] === undefined) return 'The bid has no crtype.';
    return bid['crtype'] === wanted ? null : `crtype is ${JSON.stringify(bid['crtype'])}, not “${wanted}”.`;
  }),
  mraid_crtype: ofBids((wanted, { bid, markup }) => {
    const found = objectOf(bid['ext'])['crtype'];
    if (!needsMraid(markup) || found === wanted) return null;
    return `ext.crtype is ${JSON.stringify(found) ?? 'missing'}, not “${wanted}”.`;
  }),
  playable_attributes: ofBids((attributes, { bid, markup }) => {
    if (!needsMraid(markup)) return null;
    const missing = attributes.filter((one) => !listOf(bid['attr']).includes(one));
    return missing.length > 0 ? `attr lacks ${missing.join(', ')}.` : null;
  }),
  vast_versions: ofBids((versions, { markup }) => {
    const version = isVast(markup) ? VERSION.exec(markup.slice(markup.indexOf('<VAST')))?.[1] : undefined;
    return version === undefined || versions.includes(version) ? null : `The markup is VAST ${version}.`;
  }),
  billing_id: ofBids((_value, { bid, imp }) => {
    const ids = listOf(objectOf(imp?.['ext'])['billing_id']).map(idOf);
    const named = objectOf(bid['ext'])['billing_id'];
    if (ids.length === 0) return null;
    if (named === undefined) return 'The bid has no ext.billing_id.';
    if (!ids.includes(idOf(named))) return `The request does not name the billing id ${idOf(named)}.`;
    return bid['cid'] === named ? null : 'cid is not the billing id.';
  }),
  excluded_creatives: ofBids((_value, { bid, imp }) => {
    const excluded = listOf(objectOf(imp?.['ext'])['excluded_creatives']);
    const isExcluded = excluded.some((one) => objectOf(one)['buyer_creative_id'] === bid['crid']);
    return isExcluded ? 'The request excludes the creative.' : null;
  }),
  bid_feedback: ofBids((_value, { bid }) => {
    const { payload } = objectOf(objectOf(bid['ext'])['event_notification_token']);
    if (typeof payload !== 'string' || payload === '') return 'The bid has no token for feedback.';
    return payload.length > TOKEN_CHARS_MAX ? `The token has ${payload.length} characters.` : null;
  }),
  member_seat: ofBids((_value, { seat }) =>
    /^\d+$/.test(seat) ? null : `The seat ${JSON.stringify(seat)} is no number.`,
  ),
  creative_code: ofBids((_value, { bid }) => {
    const code = objectOf(objectOf(bid['ext'])['appnexus'])['crcode'];
    if (typeof code !== 'string' || code === '') return 'The bid has no ext.appnexus.crcode.';
    return bid['adid'] === undefined ? null : 'The bid names its creative in adid, too.';
  }),
  min_to_win: ofBids((macros, { bid }) => {
    const notices = { nurl: macros.win, burl: macros.billing, lurl: macros.loss };
    for (const [field, macro] of Object.entries(notices)) {
      const address = textOf(bid[field]);
      const found = MIN_TO_WIN.exec(address)?.[0] ?? null;
      if (address !== '' && found !== macro)
        return macro === null ? `${field} has ${found}.` : `${field} has no ${macro}.`;
    }
    return null;
  }),
};

/** The fields of a bid that are addresses. */
const ADDRESSES = ['nurl', 'burl', 'lurl', 'iurl'] as const;
/** An address without https, except the names of XML. */
const PLAIN_ADDRESS = /http:(?:\\?\/){2}(?!www\.(?:w3\.org|iab\.com\/VAST)\b)/i;
const VERSION = /version="([^"]*)"/;
const MIN_TO_WIN = /\$\{AUCTION_MIN(?:IMUM_BID)?_TO_WIN\}/;
/** Longest token for feedback. */
const TOKEN_CHARS_MAX = 128;

/** Loss codes of OpenRTB for a refusal by each rule; “invalid bid response” where it has none. */
const codes: Partial<Record<JudgedRule, number>> = {
  deadline_ms: 2,
  https: 207,
  excluded_creatives: 202,
  creative_code: 8,
  playable_attributes: 210,
  vast_versions: 204,
};
const INVALID = 3;

/** Loss codes of exchanges for a refusal by a rule. */
const ownCodes: Partial<Record<ProfileSlug, Partial<Record<JudgedRule, number>>>> = {
  unity: { openrtb: 1000, gzip_responses: 1000, bid_fields: 1000, creative_types: 1004 },
};

/**
 * Judges a response to a bid request by OpenRTB and by the rules of an exchange that concern responses. `request` is the
 * request's JSON. Never throws, whatever the response is.
 */
export function judge(slug: ProfileSlug, request: object, response: ReceivedResponse): Judgement[] {
  const facts = factsOf(request as Json, response);
  const { settings, rules, facts: statements, documentation } = profileOf(slug);
  const values = rulesOf(slug);
  const judgements = [
    judgement(slug, 'openrtb', OPENRTB_TEXT, documentation ?? OPENRTB, faultByOpenRtb(facts)),
  ];
  const most = settings.answer_bytes_max;
  const limit = statements.find(({ field }) => field === 'answer_bytes_max');
  if (most && limit)
    judgements.push(judgement(slug, 'answer_bytes_max', limit.text, limit.source, tooLong(most, facts)));
  for (const name of Object.keys(judges) as RuleName[]) {
    const rule = rules.find((one) => one.rule === name);
    if (!rule) continue;
    const fault = (judges[name] as Judge<unknown>)(values[name], facts);
    judgements.push(judgement(slug, name, rule.text, rule.source, fault));
  }
  return judgements;
}

/** Rules that exchanges recommend: they accept a response against them. A server that sheds load cannot follow them. */
const RECOMMENDED: readonly JudgedRule[] = ['no_bid_body'];

/** The judgements with a fault for which an exchange refuses a response. */
export function refusalsOf(slug: ProfileSlug, request: object, response: ReceivedResponse): Judgement[] {
  return judge(slug, request, response).filter(
    ({ rule, fault }) => fault !== null && !RECOMMENDED.includes(rule),
  );
}

const OPENRTB = 'https://github.com/InteractiveAdvertisingBureau/openrtb2.x/blob/main/2.6.md';
const OPENRTB_TEXT =
  'A response has status 204, or 200 with the id of the request and bids on its imps at their floor or above.';

function judgement(
  slug: ProfileSlug,
  rule: JudgedRule,
  text: string,
  source: string,
  fault: Fault,
): Judgement {
  const code = ownCodes[slug]?.[rule] ?? codes[rule] ?? INVALID;
  return { rule, text, source, fault, code, reason: lossReason(code, slug) };
}

function factsOf(request: Json, response: ReceivedResponse): Facts {
  const body = parsed(response.body);
  const imps = listOf(request['imp']).map(objectOf);
  const bids = listOf(body?.['seatbid']).flatMap((value) => {
    const { seat, bid } = objectOf(value);
    return listOf(bid).map((one) => {
      const object = objectOf(one);
      return {
        seat: textOf(seat),
        bid: object,
        markup: textOf(object['adm']),
        imp: imps.find(({ id }) => id === object['impid']) ?? null,
      };
    });
  });
  return { request, response, body, bids };
}

/** What a response does against OpenRTB 2.6, 4.2; null if it follows it. */
function faultByOpenRtb({ request, response, body, bids }: Facts): Fault {
  if (response.status === 204) return response.body === '' ? null : 'A response of status 204 has a body.';
  if (response.status !== 200) return `The response has status ${response.status}.`;
  if (body === null) return 'The body is no JSON object.';
  if (body['id'] !== request['id']) return 'The id is not the request’s.';
  const cur = body['cur'] ?? 'USD';
  const asked = listOf(request['cur']);
  if (!(asked.length > 0 ? asked : ['USD']).includes(cur))
    return `The request does not allow ${textOf(cur)}.`;
  for (const { bid, imp, markup } of bids) {
    const { id, price } = bid;
    if (textOf(id) === '') return 'A bid has no id.';
    if (imp === null) return 'A bid names no imp of the request.';
    if (typeof price !== 'number' || !(price > 0)) return 'A bid has no price.';
    const floor = imp['bidfloor'];
    if (typeof floor === 'number' && price < floor)
      return `A bid of ${price} is below the floor of ${floor}.`;
    if (markup === '') return 'A bid has no markup.';
  }
  return null;
}

function tooLong(most: number, { response: { body } }: Facts): Fault {
  const bytes = new TextEncoder().encode(body).length;
  return bytes > most ? `The response has ${bytes} bytes.` : null;
}

/** An attribute list may be empty; other fields may not. */
function isMissing(value: unknown, field: BidField): boolean {
  if (value === undefined || value === null || value === '') return true;
  return field !== 'attr' && Array.isArray(value) && value.length === 0;
}

const isVast = (markup: string): boolean => /<VAST[\s>]/.test(markup);
const needsMraid = (markup: string): boolean => !isVast(markup) && markup.includes('mraid.js');

function parsed(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** An id, which JSON has as a text or a number. */
function idOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : textOf(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
