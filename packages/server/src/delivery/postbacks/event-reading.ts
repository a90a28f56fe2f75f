import type { Mmp } from '@bidwell/contract/apps/schema';
import { MICROS } from '@bidwell/contract/lib/money';
import { truncate } from '@bidwell/contract/lib/truncate';
import { type PostbackParameters, givenValue, installedAtMs } from './postback-reading.ts';

/** What a postback says about an event in the app. */
export interface EventReading {
  name: string;
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
  /** The partner's id of the event; '' for none. */
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

/**
 * The parameters that hold each part of an event, the first that is given counts: ours first, as in our templates, then the
 * customary ones of the partners (docs/in-app-events.md). `activity_kind` is Adjust's, and names what has no event token.
 */
const NAMES = {
  name: ['event_name', 'event-name', 'conversion_event_name', 'event', 'evtname', 'activity_kind'],
  amount: [
    'revenue_float',
    'event_revenue',
    'event_data.revenue',
    'price',
    'ecom_revenue',
    'monetary',
    'amount',
  ],
  currency: ['event_revenue_currency', 'event_data.currency', 'currency'],
  dollars: ['revenue_usd', 'event_revenue_usd', 'event_revenue_USD', 'event_data.revenue_in_usd'],
  eventAt: [
    'event_time',
    'created_at',
    'conversion_timestamp',
    'conversion_datetime',
    'event_timestamp',
    'timestamp',
  ],
  installAt: ['install_time'],
  uniqueId: ['event_id', 'transaction_id'],
} as const;

/** Reads a postback about an event in the app. Pure. */
export function readEvent(mmp: Mmp, parameters: PostbackParameters): EventReading {
  const first = (names: readonly string[]) => firstGiven(parameters, names);
  const value = eventValueOf(parameters);
  const dollarsText = first(NAMES.dollars);
  const sent = amountOf(mmp, parameters) || givenValue(value, 'af_revenue');
  // Of a partner that sends dollars alone these are the amount.
  const amount = sent || dollarsText;
  const currency =
    first(NAMES.currency) || givenValue(value, 'af_currency') || (sent ? '' : dollarsText && 'USD');
  const name = nameOf(mmp, parameters);
  return {
    name,
    amount: truncate(amount, TEXT_CHARS_MAX),
    value: numberOf(amount),
    currency: /^[a-z]{3}$/i.test(currency) ? currency.toUpperCase() : '',
    dollars: numberOf(dollarsText),
    eventAtMs: timeOf(first(NAMES.eventAt)),
    installAtMs: timeOf(first(NAMES.installAt)) ?? likelyTime(installedAtMs(parameters)),
    uniqueId: truncate(uniqueIdOf(mmp, parameters), UNIQUE_ID_CHARS_MAX),
    isAdRevenue: isAdRevenue(name, parameters),
    isRejected: isRejected(parameters),
  };
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

function firstGiven(parameters: PostbackParameters, names: readonly string[]): string {
  for (const name of names) {
    const value = givenValue(parameters, name);
    if (value !== '') return value;
  }
  return '';
}

function nameOf(mmp: Mmp, parameters: PostbackParameters): string {
  const name =
    firstGiven(parameters, NAMES.name) || (isPartner(mmp, 'branch') && givenValue(parameters, 'name'));
  return (name && textOf(name, NAME_CHARS_MAX)) || UNNAMED;
}

/** A text as every database stores it: without control characters and halves of characters, and at most `max` long. */
function textOf(text: string, max: number): string {
  return truncate(text.replaceAll(/[\p{Cc}\p{Cs}]/gu, '').trim(), max).trim();
}

/** Adjust's customary `revenue` is in cents, that of everyone else in units of the currency. */
function amountOf(mmp: Mmp, parameters: PostbackParameters): string {
  const text = firstGiven(parameters, NAMES.amount);
  if (text !== '') return text;
  const revenue = givenValue(parameters, 'revenue');
  const cents = mmp === 'adjust' ? numberOf(revenue) : null;
  return cents === null ? revenue : String(cents / 100);
}

/** Branch's `id` is one of the event; other partners use that name for anything. */
function uniqueIdOf(mmp: Mmp, parameters: PostbackParameters): string {
  return (
    firstGiven(parameters, NAMES.uniqueId) || (isPartner(mmp, 'branch') ? givenValue(parameters, 'id') : '')
  );
}

function isPartner(mmp: string, partner: string): boolean {
  return mmp === partner;
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
  if (!date) return null;
  const zone = date[3]?.toUpperCase().replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2') ?? 'Z';
  const atMs = Date.parse(`${date[1]}T${date[2]}${zone}`);
  return Number.isNaN(atMs) ? null : likelyTime(atMs);
}

function likelyTime(atMs: number | null): number | null {
  return atMs !== null && atMs >= YEARS.fromMs && atMs < YEARS.beforeMs ? atMs : null;
}

/** AppsFlyer's `event_value` is JSON with the event's own values. */
function eventValueOf(parameters: PostbackParameters): PostbackParameters {
  const text = givenValue(parameters, 'event_value');
  if (!text.startsWith('{')) return {};
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>);
    return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
  } catch {
    return {};
  }
}

function isAdRevenue(name: string, parameters: PostbackParameters): boolean {
  return (
    /^(af_)?ad_?revenue$/i.test(name) ||
    /^ad_revenue$/i.test(givenValue(parameters, 'activity_kind')) ||
    /^(1|true|yes)$/i.test(givenValue(parameters, 'is_ad_revenue')) ||
    givenValue(parameters, 'ad_revenue_network') !== ''
  );
}

const REASONS = ['reject_reason', 'rejection_reason', 'blocked_reason'];

function isRejected(parameters: PostbackParameters): boolean {
  return (
    ['is_rejected', 'rejected'].some((name) => /^(1|true|yes)$/i.test(givenValue(parameters, name))) ||
    firstGiven(parameters, REASONS) !== '' ||
    /^rejected_/i.test(givenValue(parameters, 'activity_kind'))
  );
}
