import type { Mmp } from '@bidwell/contract/apps/schema';
import { createHash } from 'node:crypto';
import { uuidTimeMs } from '../event-log/deduplication-window.ts';
import { decimalText } from './decimal.ts';
import type { EventReading } from './event-reading.ts';

const DAY_MS = 86_400_000;
/** How far before its bid an event is still dated by its own time, for its id; when it counts is {@link isBeforeBid}. */
const CLOCK_MS = DAY_MS;
/** A bid younger than this dates its events whose time the partner did not report. */
const BID_DATES_DAYS = 30;

/** An event in the app, as its identity needs it. */
export interface IdentifiedEvent {
  companyId: string;
  mmp: Mmp;
  /** The bid of its click. */
  clickBidId: string;
  /** Unix ms of the postback's arrival. */
  atMs: number;
  reading: EventReading;
}

/**
 * The id of an event, which is the same whichever tracker receives its postback, and however often: a UUID of version 7 with
 * the event's time, and a hash of its identity in place of the random bits. The identity is the partner's own id of the event
 * or, without one, its click, name, time to the second, amount and currency. An event without a time is dated as its bid or,
 * of a bid of a month ago, as the day of its arrival.
 */
export function eventIdOf({ companyId, mmp, clickBidId, atMs, reading }: IdentifiedEvent): string {
  const { uniqueId, wholeName, currency } = reading;
  // Written as 2.5 or 2.50, in cents or not.
  const amount = reading.value ? Number(decimalText(reading.value)) || 0 : reading.amount;
  const eventAtMs = plausibleTimeOf(clickBidId, reading.eventAtMs);
  const second = eventAtMs === null ? '' : Math.floor(eventAtMs / 1000);
  const identity =
    uniqueId === ''
      ? [companyId, mmp, 'event', clickBidId, wholeName, second, amount, currency]
      : [companyId, mmp, 'id', uniqueId];
  const hash = createHash('sha256').update(JSON.stringify(identity)).digest();
  hash[0] = 0x70 | (hash[0]! & 0x0f);
  hash[2] = 0x80 | (hash[2]! & 0x3f);
  const time = (eventAtMs ?? dateOf(clickBidId, atMs)).toString(16).padStart(12, '0');
  const rest = hash.toString('hex', 0, 10);
  return `${time.slice(0, 8)}-${time.slice(8)}-${rest.slice(0, 4)}-${rest.slice(4, 8)}-${rest.slice(8)}`;
}

/** How far before the bid of its click or view an event may be dated, for clocks that differ. */
const EARLY_MS = 3_600_000;

/** Whether an event is dated before its click or view, which therefore did not lead to it. */
export function isBeforeBid(clickBidId: string, eventAtMs: number | null): boolean {
  return eventAtMs !== null && eventAtMs < uuidTimeMs(clickBidId) - EARLY_MS;
}

/** When an event happened by the partner, to the second; null where it did not say, or names a time before the bid. */
export function plausibleTimeOf(clickBidId: string, eventAtMs: number | null): number | null {
  if (eventAtMs === null || eventAtMs < uuidTimeMs(clickBidId) - CLOCK_MS) return null;
  // Partners name the time to the second or more precisely, not always both alike.
  return Math.floor(eventAtMs / 1000) * 1000;
}

function dateOf(clickBidId: string, atMs: number): number {
  const bidMs = uuidTimeMs(clickBidId);
  return atMs - bidMs < BID_DATES_DAYS * DAY_MS ? bidMs : Math.floor(atMs / DAY_MS) * DAY_MS;
}
