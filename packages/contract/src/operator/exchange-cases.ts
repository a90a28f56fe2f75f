import { z } from 'zod';
import applovin from './exchange-cases/applovin.json' with { type: 'json' };
import bidmachine from './exchange-cases/bidmachine.json' with { type: 'json' };
import bidswitch from './exchange-cases/bidswitch.json' with { type: 'json' };
import digitalTurbine from './exchange-cases/digital-turbine.json' with { type: 'json' };
import google from './exchange-cases/google.json' with { type: 'json' };
import inmobi from './exchange-cases/inmobi.json' with { type: 'json' };
import magnite from './exchange-cases/magnite.json' with { type: 'json' };
import mintegral from './exchange-cases/mintegral.json' with { type: 'json' };
import pangle from './exchange-cases/pangle.json' with { type: 'json' };
import pubmatic from './exchange-cases/pubmatic.json' with { type: 'json' };
import smaato from './exchange-cases/smaato.json' with { type: 'json' };
import unity from './exchange-cases/unity.json' with { type: 'json' };
import vungle from './exchange-cases/vungle.json' with { type: 'json' };
import xandr from './exchange-cases/xandr.json' with { type: 'json' };
import { PROFILE_SLUGS, type ProfileSlug } from './exchange-rules.ts';
import { type ReceivedResponse, judge } from './exchange-judge.ts';

/** A notice that an exchange sends after a bid, and what it stores. */
const NoticeCase = z.strictObject({
  notice: z.enum(['win', 'billing', 'loss']),
  /** What the exchange writes in place of its macros; it leaves others as they are. Prices are encrypted where the exchange does so. */
  macros: z.record(z.string(), z.string()),
  charged_micros: z.number().int(),
  /** The loss reason code, 0 without one, and the lowest price that would have won, 0 where it is not known. */
  loss_code: z.number().int().default(0),
  min_to_win: z.number().default(0),
});
export type NoticeCase = z.infer<typeof NoticeCase>;

/**
 * A request of an exchange, with what its documentation expects of the response. A creative of each type fits: a banner
 * of 320 by 50, a playable, an upright video of 15 seconds and a native ad, each of an app that bids $2.50.
 */
const ExchangeCase = z.strictObject({
  title: z.string(),
  /** The page that says so; OpenRTB where nothing public was found. */
  source: z.url({ protocol: /^https$/ }),
  /** Whether the exchange documents it itself. */
  documented: z.boolean(),
  /** The body; `{banner}` stands for the id of the banner's creative. */
  request: z.looseObject({ id: z.string() }),
  /** The headers in addition to the content type. */
  headers: z.record(z.string(), z.string()),
  /** Whether the body is compressed. */
  gzip: z.boolean(),
  /** The type of creative that is bid; null without a bid. */
  bid: z.enum(['Banner', 'Native', 'Video', 'Playable']).nullable(),
  /** The status, and where there is a body, the values at its paths: as they are, `*` for any, `~` before a pattern. */
  status: z.number().int(),
  has: z.record(z.string(), z.unknown()).default({}),
  lacks: z.array(z.string()).default([]),
  notices: z.array(NoticeCase).default([]),
});
export type ExchangeCase = z.infer<typeof ExchangeCase>;

const CaseFile = z.strictObject({
  profile: z.enum(PROFILE_SLUGS),
  /** Settings that are agreed with the exchange, as an example of a seat. */
  settings: z.record(z.string(), z.unknown()).default({}),
  cases: z.array(ExchangeCase).min(1),
});
export type ExchangeCases = z.infer<typeof CaseFile>;

/** The contract cases of each named exchange. */
export const exchangeCases: readonly ExchangeCases[] = [
  unity,
  applovin,
  google,
  vungle,
  digitalTurbine,
  inmobi,
  xandr,
  pangle,
  bidmachine,
  bidswitch,
  mintegral,
  smaato,
  pubmatic,
  magnite,
].map((file) => CaseFile.parse(file));

/** The contract cases of a profile; none where it is no named exchange. */
export function casesOf(slug: ProfileSlug): readonly ExchangeCase[] {
  return exchangeCases.find(({ profile }) => profile === slug)?.cases ?? [];
}

/** A case with the id of the banner's creative in its request. */
export function preparedCase(one: ExchangeCase, creatives: { banner: string }): ExchangeCase {
  const text = JSON.stringify(one.request).replaceAll('{banner}', creatives.banner);
  return { ...one, request: JSON.parse(text) as ExchangeCase['request'] };
}

/** One statement about a response, and what was found against it; null if it holds. */
export interface CaseCheck {
  text: string;
  source: string;
  fault: string | null;
}

/** Checks a response against a case: the exchange's rules, then what the case itself expects. */
export function caseChecks(
  slug: ProfileSlug,
  { source, status, has, lacks, request }: ExchangeCase,
  response: ReceivedResponse,
): CaseCheck[] {
  const rules = judge(slug, request, response);
  const checks: CaseCheck[] = rules.map(({ text, source: page, fault }) => ({ text, source: page, fault }));
  const add = (text: string, fault: string | null) => checks.push({ text, source, fault });
  add(
    `The response has status ${status}.`,
    response.status === status ? null : `It has status ${response.status}.`,
  );
  if (response.status !== status) return checks;
  const body = bodyOf(response);
  for (const [path, wanted] of Object.entries(has)) {
    const found = valueAt(body, path);
    add(
      statementOf(path, wanted),
      isAs(found, wanted) ? null : `It is ${JSON.stringify(found) ?? 'missing'}.`,
    );
  }
  for (const path of lacks) {
    const found = valueAt(body, path);
    add(`${path} is absent.`, found === undefined ? null : `It is ${JSON.stringify(found)}.`);
  }
  return checks;
}

function statementOf(path: string, wanted: unknown): string {
  if (wanted === '*') return `${path} is present.`;
  const pattern = patternIn(wanted);
  return pattern === null ? `${path} is ${JSON.stringify(wanted)}.` : `${path} matches ${pattern}.`;
}

function patternIn(wanted: unknown): string | null {
  return typeof wanted === 'string' && wanted.startsWith('~') ? wanted.slice(1) : null;
}

function isAs(found: unknown, wanted: unknown): boolean {
  if (wanted === '*') return found !== undefined && found !== null && found !== '';
  const pattern = patternIn(wanted);
  if (pattern !== null) return typeof found === 'string' && new RegExp(pattern).test(found);
  return JSON.stringify(found) === JSON.stringify(wanted);
}

/** The body, with its first seat as `seat` and its first bid as `bid`. */
function bodyOf({ body }: ReceivedResponse): unknown {
  if (body === '') return {};
  try {
    const read = JSON.parse(body) as { seatbid?: { seat?: string; bid?: object[] }[] };
    const [first] = read.seatbid ?? [];
    return { ...read, seat: first?.seat, bid: first?.bid?.[0] };
  } catch {
    return {};
  }
}

function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

/** Fills the macros of a notice's address as an exchange does. */
export function filledNotice(address: string, { macros }: Pick<NoticeCase, 'macros'>): string {
  return address.replaceAll(/\$\{(\w+)\}/g, (macro, name: string) =>
    Object.hasOwn(macros, name) ? encodeURIComponent(macros[name]!) : macro,
  );
}
