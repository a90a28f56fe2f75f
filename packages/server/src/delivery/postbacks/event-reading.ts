import type { Mmp } from '@bidwell/contract/apps/schema';
import { MICROS } from '@bidwell/contract/lib/money';
import { visiblePartOf } from '@bidwell/contract/lib/visible-name';
import { truncate } from '@bidwell/contract/lib/truncate';
import type { EventPart } from '@bidwell/contract/measurement/partners/description';
import { type PartnerEventRules, eventRulesOf } from '@bidwell/contract/measurement/partners/event-rules';
import { createHash } from 'node:crypto';
import { type PostbackParameters, firstGiven, givenValue, installedAtMs, isMet } from './postback-reading.ts';

/** What a postback says about an event in the app. */
export interface EventReading {
  name: string;
  /** The name before it is cut off, by which events are told apart. */
  wholeName: string;
  /** In units of the currency, or as sent where it cannot be read; '' for none. */
  amount: string;
  /** The amount as a number, negative for a refund; null where there is none, or it cannot be read. */
  value: number | null;
  /** ISO 4217; '' where the partner named none, or what is no code. */
  currency: string;
  /** The amount in dollars as the partner converted it; null where it did not. */
  dollars: number | null;
  /** Unix ms; null where the partner did not report it. */
  eventAtMs: number | null;
  installAtMs: number | null;
  /** The partner's id of the event, a hash of a long one; '' for none. */
  uniqueId: string;
  isAdRevenue: boolean;
  /** Whether the partner rejected the event as fraud. */
  isRejected: boolean;
}

/** Longest name of an event, in characters. */
const NAME_CHARS_MAX = 100;
const TEXT_CHARS_MAX = 50;
const UNIQUE_ID_CHARS_MAX = 200;
/** Largest amount that is read, in units of its currency. */
const AMOUNT_MAX = 10_000_000;
/** Times of events and installs that are read; ClickHouse stores none of some later ones. */
const YEARS = { fromMs: Date.UTC(2000), beforeMs: Date.UTC(2100) };
/** The name of an event of which the partner sent none. */
const UNNAMED = '(unnamed)';
/** The name of the events that are a return of a person who had the app before. */
const RE_ENGAGEMENT = '(re-engagement)';

/** Reads a postback about an event in the app, by the rules of its partner. Pure. */
export function readEvent(mmp: Mmp, parameters: PostbackParameters): EventReading {
  const rules = eventRulesOf(mmp);
  const first = (part: EventPart) => firstGiven(parameters, rules.parametersOf(part));
  const own = rules.values ? ownValuesOf(parameters, rules.values) : { amount: '', currency: '' };
  const dollarsText = first('dollars');
  const sent = amountOf(rules, parameters) || own.amount;
  // Of a partner that sends dollars alone these are the amount.
  const amount = sent || dollarsText;
  const currency = first('currency') || own.currency || (sent ? '' : dollarsText && 'USD');
  const wholeName = visiblePartOf(first('name')).trim() || UNNAMED;
  return {
    name: truncate(wholeName, NAME_CHARS_MAX).trim(),
    wholeName,
    amount: truncate(visiblePartOf(amount), TEXT_CHARS_MAX),
    value: numberOf(amount),
    currency: /^[a-z]{3}$/i.test(currency) ? currency.toUpperCase() : '',
    dollars: numberOf(dollarsText),
    eventAtMs: timeOf(first('eventAt')),
    installAtMs: timeOf(first('installAt')) ?? likelyTime(installedAtMs(parameters)),
    uniqueId: uniqueIdOf(first('uniqueId')),
    isAdRevenue: rules.adRevenue.some((condition) => isMet(condition, parameters)),
    isRejected: rules.rejected.some((condition) => isMet(condition, parameters)),
  };
}

/** Reads a retargeting postback as an event in the app, whatever the partner calls it. Pure. */
export function readReEngagement(mmp: Mmp, parameters: PostbackParameters): EventReading {
  return { ...readEvent(mmp, parameters), name: RE_ENGAGEMENT, wholeName: RE_ENGAGEMENT };
}

/**
 * The revenue of an event in micros of a dollar: as the partner converted it, otherwise by the operator's rate. Undefined where
 * there is no amount, or it cannot be read, or the rate is not known; never guessed. `rates` are dollars per unit of a currency.
 */
export function revenueMicrosOf(
  { value, currency, dollars }: Pick<EventReading, 'value' | 'currency' | 'dollars'>,
  rates: ReadonlyMap<string, number>,
): number | undefined {
  const rate = currency === 'USD' ? 1 : rates.get(currency);
  const inDollars = dollars ?? (value === null || rate === undefined ? undefined : value * rate);
  if (inDollars === undefined) return undefined;
  const micros = Math.sign(inDollars) * Math.round(Math.abs(inDollars) * MICROS) || 0;
  return Number.isSafeInteger(micros) ? micros : undefined;
}

/** Two ids that begin alike are two events, so a long one is not cut off. */
function uniqueIdOf(text: string): string {
  return text.length <= UNIQUE_ID_CHARS_MAX ? text : createHash('sha256').update(text).digest('hex');
}

/** The amount in units of the currency, or as sent where it cannot be read. */
function amountOf({ parametersOf, cents }: PartnerEventRules, parameters: PostbackParameters): string {
  const name = parametersOf('amount').find((one) => givenValue(parameters, one) !== '');
  if (name === undefined) return '';
  const text = givenValue(parameters, name);
  const number = cents.includes(name) ? numberOf(text) : null;
  return number === null ? text : String(number / 100);
}

/** A decimal number with a sign of its own; null for anything else, an exponent or thousands separators among them. */
function numberOf(text: string): number | null {
  if (!/^[+-]?(\d{1,8}(\.\d{0,20})?|\.\d{1,20})$/.test(text)) return null;
  const value = Number(text);
  return Math.abs(value) <= AMOUNT_MAX ? value || 0 : null;
}

/**
 * Unix seconds or milliseconds, or a date and time of RFC 3339, of UTC without a zone, as AppsFlyer writes it. Null for anything
 * else, and outside {@link YEARS}.
 */
function timeOf(text: string): number | null {
  if (/^\d{9,10}(\.\d{1,9})?$/.test(text)) return likelyTime(Math.floor(Number(text) * 1000));
  if (/^\d{12,13}$/.test(text)) return likelyTime(Number(text));
  const date = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-]\d\d:?\d\d)?$/i.exec(text);
  if (!date || !isDate(date[1]!)) return null;
  const zone = date[3]?.toUpperCase().replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2') ?? 'Z';
  const atMs = Date.parse(`${date[1]}T${date[2]}${zone}`);
  return Number.isNaN(atMs) ? null : likelyTime(atMs);
}

/** Whether a calendar has a date; JavaScript reads 30 February as 2 March. */
function isDate(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}

function likelyTime(atMs: number | null): number | null {
  return atMs !== null && atMs >= YEARS.fromMs && atMs < YEARS.beforeMs ? atMs : null;
}

/** The amount and the currency among an event's own values, which are JSON. */
function ownValuesOf(
  parameters: PostbackParameters,
  names: { parameter: string; amount: string; currency: string },
): { amount: string; currency: string } {
  const values = jsonOf(givenValue(parameters, names.parameter));
  return { amount: givenValue(values, names.amount), currency: givenValue(values, names.currency) };
}

function jsonOf(text: string): PostbackParameters {
  if (!text.startsWith('{')) return {};
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>);
    return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
  } catch {
    return {};
  }
}
