import type { Mmp } from '@bidwell/contract/apps/fields';
import { MICROS } from '@bidwell/contract/lib/money';
import { visiblePartOf } from '@bidwell/contract/lib/visible-name';
import { truncate } from '@bidwell/contract/lib/truncate';
import type { EventPart } from '@bidwell/contract/measurement/partners/description';
import { type PartnerEventRules, eventRulesOf } from '@bidwell/contract/measurement/partners/event-rules';
import { createHash } from 'node:crypto';
import { type Decimal, decimalOf, decimalText, hundredthOf, roundedTimes, timesDecimal } from './decimal.ts';
import { type PostbackParameters, firstGiven, givenValue, isMet, membersOf } from './postback-reading.ts';
import { isGiven } from './given-value.ts';
import { reportedTimeOf } from './reported-time.ts';

/** An in-app event, as a postback reports it. */
export interface EventReading {
  name: string;
  /** The name before it is cut off, by which events are told apart. */
  wholeName: string;
  /** In units of the currency, or as sent where it cannot be read; '' for none. */
  amount: string;
  /** The amount as a number, negative for a refund; null where there is none, or it cannot be read. */
  value: Decimal | null;
  /** ISO 4217; '' where the partner sent none, or an invalid code. */
  currency: string;
  /** The amount in dollars as the partner converted it; null where it did not. */
  dollars: Decimal | null;
  /** Unix ms; null where the partner did not report it, or it cannot be read. */
  eventAtMs: number | null;
  /** The time of the event as sent, where it cannot be read; '' where it can, or the partner did not report it. */
  unreadTime: string;
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
const AMOUNT_MAX = 10_000_000n;
/** The name of an event of which the partner sent none. */
const UNNAMED = '(unnamed)';
/** The name of the events that are a return of a person who had the app before. */
const RE_ENGAGEMENT = '(re-engagement)';
const REINSTALL = '(reinstall)';

/** Reads a postback about an event in the app, by the rules of its partner. Pure. */
export function readEvent(mmp: Mmp, parameters: PostbackParameters): EventReading {
  const rules = eventRulesOf(mmp);
  const first = (part: EventPart) => firstGiven(parameters, rules.parametersOf(part));
  const own = rules.values ? ownValuesOf(parameters, rules.values) : { amount: '', currency: '' };
  const dollarsText = first('dollars');
  const sent = amountOf(rules, parameters) || own.amount;
  // If a partner sends only dollars, they are the amount.
  const amount = sent || dollarsText || hiddenAmountOf(rules, parameters);
  const currency = first('currency') || own.currency || (sent ? '' : dollarsText && 'USD');
  const eventAt = timeIn(parameters, rules.parametersOf('eventAt'));
  const wholeName = visiblePartOf(first('name')).trim() || UNNAMED;
  return {
    name: truncate(wholeName, NAME_CHARS_MAX).trim(),
    wholeName,
    amount: truncate(visiblePartOf(amount), TEXT_CHARS_MAX),
    value: amountIn(amount),
    currency: /^[a-z]{3}$/i.test(currency) ? currency.toUpperCase() : '',
    dollars: amountIn(dollarsText),
    eventAtMs: eventAt.atMs,
    unreadTime: eventAt.unread,
    installAtMs: timeIn(parameters, rules.parametersOf('installAt')).atMs,
    uniqueId: uniqueIdOf(first('uniqueId')),
    isAdRevenue: rules.adRevenue.some((condition) => isMet(condition, parameters)),
    isRejected: rules.rejected.some((condition) => isMet(condition, parameters)),
  };
}

/** Reads a retargeting postback as an event in the app, by any name that the partner gives it. Pure. */
export function readReEngagement(mmp: Mmp, parameters: PostbackParameters): EventReading {
  return { ...readEvent(mmp, parameters), name: RE_ENGAGEMENT, wholeName: RE_ENGAGEMENT };
}

/** Reads the postback of an install for a re-engagement campaign, which a person who had the app installed again. Pure. */
export function readReinstall(mmp: Mmp, parameters: PostbackParameters): EventReading {
  return { ...readEvent(mmp, parameters), name: REINSTALL, wholeName: REINSTALL };
}

/**
 * The revenue of an event in micros of a dollar: as the partner converted it, otherwise by the operator's rate. Undefined where
 * there is no amount, or it cannot be read, or the rate is not known; never guessed. `rates` are dollars per unit of a currency.
 */
export function revenueMicrosOf(
  { value, currency, dollars }: Pick<EventReading, 'value' | 'currency' | 'dollars'>,
  rates: ReadonlyMap<string, number>,
): number | undefined {
  const rate = currency === 'USD' ? ONE : rateOf(rates.get(currency));
  const inDollars = dollars ?? (value && rate && timesDecimal(value, rate));
  if (!inDollars) return undefined;
  const micros = Number(roundedTimes(inDollars, BigInt(MICROS)));
  return Number.isSafeInteger(micros) ? micros : undefined;
}

const ONE: Decimal = { digits: 1n, scale: 0 };

/** A rate as the shortest decimal that is that number, which is how an operator entered it. */
function rateOf(rate: number | undefined): Decimal | null {
  return rate === undefined ? null : decimalOf(String(rate));
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
  const number = cents.includes(name) ? amountIn(text) : null;
  return number === null ? text : decimalText(hundredthOf(number));
}

/** An amount of at most {@link AMOUNT_MAX}; null for a greater one and for what {@link decimalOf} does not read. */
function amountIn(text: string): Decimal | null {
  const amount = decimalOf(text);
  return amount !== null && isWithin(amount) ? amount : null;
}

function isWithin({ digits, scale }: Decimal): boolean {
  const max = AMOUNT_MAX * 10n ** BigInt(scale);
  return digits <= max && digits >= -max;
}

/** The first time among some parameters that can be read, or else the first that was given. */
function timeIn(
  parameters: PostbackParameters,
  names: readonly string[],
): { atMs: number | null; unread: string } {
  const given = names.map((name) => givenValue(parameters, name)).filter(Boolean);
  for (const text of given) {
    const atMs = reportedTimeOf(text);
    if (atMs !== null) return { atMs, unread: '' };
  }
  return { atMs: null, unread: truncate(visiblePartOf(given[0] ?? ''), TEXT_CHARS_MAX) };
}

/** The amount and the currency among an event's own values, which are JSON. */
function ownValuesOf(
  parameters: PostbackParameters,
  names: { parameter: string; amount: string; currency: string },
): { amount: string; currency: string } {
  const values = Object.fromEntries(membersOf(givenValue(parameters, names.parameter)));
  return { amount: givenValue(values, names.amount), currency: givenValue(values, names.currency) };
}

/** Names of amounts in objects of which no documentation says that they are revenue. */
const REVENUE_NAME = /^(event_)?revenue(_float|_usd)?$/i;

/**
 * A revenue within an object that is not documented, as a text that is no number: its amount is not known. The event's own values are
 * documented, and may name an amount that is none.
 */
function hiddenAmountOf({ values }: PartnerEventRules, parameters: PostbackParameters): string {
  for (const [name, text] of Object.entries(parameters)) {
    if (name === (values?.parameter ?? 'event_value')) continue;
    const [member] = membersOf(text).filter(([own, value]) => REVENUE_NAME.test(own) && isGiven(value));
    if (member) return `${name}.${member[0]}=${member[1]}`;
  }
  return '';
}
