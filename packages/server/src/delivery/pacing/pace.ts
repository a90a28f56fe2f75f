import { startOfDayMs, dateAt } from '@bidwell/contract/lib/calendar';
import type { Micros } from '@bidwell/contract/lib/money';

export const QUARTER_MS = 15 * 60_000;
/** Quarters of an hour in a day. */
export const QUARTERS = 96;

/** Spending is planned to end this long before the day does, so that money of bids that lose late can still be bid. */
const FINISH_MS = QUARTER_MS;
/** Planning horizon, ms. */
const AHEAD_MS = 5 * 60_000;

/** A company's day: Unix ms, the end exclusive. */
export interface Day {
  startMs: number;
  endMs: number;
}

/**
 * A day of an ad set: for each quarter hour the part of its usual traffic that comes in its hours, 0 where it is closed;
 * null where it has none.
 */
export interface OpenDay extends Day {
  open: Float64Array | null;
}

/** The calendar day that contains an instant, in a time zone, without hours. */
export function dayAt(nowMs: number, timeZone: string): OpenDay {
  const startMs = startOfDayMs(dateAt(nowMs, timeZone), timeZone);
  const endMs = startOfDayMs(dateAt(startMs + 36 * 3_600_000, timeZone), timeZone);
  return { startMs, endMs, open: null };
}

/** Share of a day's traffic between two instants; `trafficProfile` holds the share of each quarter hour of a UTC day. */
export function trafficBetween(trafficProfile: readonly number[], fromMs: number, toMs: number): number {
  let sum = 0;
  for (let atMs = fromMs; atMs < toMs;) {
    const endMs = Math.min(toMs, (Math.floor(atMs / QUARTER_MS) + 1) * QUARTER_MS);
    sum += (trafficProfile[Math.floor(atMs / QUARTER_MS) % QUARTERS]! * (endMs - atMs)) / QUARTER_MS;
    atMs = endMs;
  }
  return sum;
}

/** {@link trafficBetween} in the hours of an ad set. Both instants are within its day. */
function openTraffic(
  trafficProfile: readonly number[],
  { startMs, open }: OpenDay,
  fromMs: number,
  toMs: number,
): number {
  if (!open) return trafficBetween(trafficProfile, fromMs, toMs);
  let sum = 0;
  for (let atMs = fromMs; atMs < toMs;) {
    const quarter = Math.floor((atMs - startMs) / QUARTER_MS);
    const endMs = Math.min(toMs, startMs + (quarter + 1) * QUARTER_MS);
    if (open[quarter]! > 0) sum += open[quarter]! * trafficBetween(trafficProfile, atMs, endMs);
    atMs = endMs;
  }
  return sum;
}

/** Whether an ad set is closed in a quarter hour of its day. */
function isClosed({ startMs, open }: OpenDay, atMs: number): boolean {
  return open !== null && !(open[Math.floor((atMs - startMs) / QUARTER_MS)]! > 0);
}

/** The end of the last quarter hour of the day in which an ad set is open. */
function closingMs({ startMs, endMs, open }: OpenDay): number {
  return open ? startMs + (open.findLastIndex((part) => part > 0) + 1) * QUARTER_MS : endMs;
}

/**
 * Share of the day's remaining money to spend in the next second, so that spend follows traffic: the traffic expected in
 * the next five minutes, divided by all that is expected before the planned finish of the day, in the ad set's hours. Null
 * while it is closed.
 */
export function sharePerSecond(
  trafficProfile: readonly number[],
  day: OpenDay,
  nowMs: number,
): number | null {
  if (isClosed(day, nowMs)) return null;
  const finishMs = closingMs(day) - FINISH_MS;
  const soonMs = Math.min(nowMs + AHEAD_MS, finishMs);
  const left = openTraffic(trafficProfile, day, nowMs, finishMs);
  // Near the finish, or where no more traffic is expected: spend the rest as requests arrive, within about a minute.
  if (soonMs - nowMs < 60_000 || left <= 0) return 1 / 60;
  const soon = openTraffic(trafficProfile, day, nowMs, soonMs);
  return Math.min(1 / 60, soon / left / ((soonMs - nowMs) / 1000));
}

/** State of an ad set's pacing controller; stored as JSON. */
export interface PaceState {
  /** The share of offers to bid on. */
  share: number;
  atMs: number;
  /** The day's spend at `atMs`. */
  dayMicros: Micros;
  /** Sums over the last minutes with exponential decay: spend in micros, and share × seconds. */
  spentMicros: number;
  openSeconds: number;
}

/** The pacing plan of an ad set for the next seconds: the share of the day's remaining money to spend in one; `closed` out of its hours. */
export type PacePlan = number | 'closed';

const STEP_MS = 15_000;
const MEMORY_MS = 10 * 60_000;
const SHARE_MIN = 0.001;
const SHARE_FIRST = 0.02;
const GROWTH_MAX = 1.5;
/**
 * A step whose spend is more than this many times its plan, and more than this many impressions, is no result of the share: spend of
 * earlier hours was booked in it, as after a restore or while counting catches up.
 */
const PLAN_MULTIPLE_MAX = 50;
const IMPRESSIONS_MIN = 20;

/**
 * Computes the next share of offers that an ad set bids on, so that it spends `targetPerSecond` micros. Null when it is
 * too early for a step. The spend at a full share is estimated from the last minutes; planning the day's remaining money
 * anew at each step corrects earlier errors (the integral part of a PID controller). Spend that was booked late lowers the share
 * for that step and is not remembered. `unitMicros` is the price of an impression.
 */
export function steerPace(
  before: PaceState | null,
  dayMicros: Micros,
  { targetPerSecond, unitMicros }: { targetPerSecond: number; unitMicros: Micros },
  nowMs: number,
): PaceState | null {
  if (!before) return { share: SHARE_FIRST, atMs: nowMs, dayMicros, spentMicros: 0, openSeconds: 0 };
  const elapsedMs = nowMs - before.atMs;
  if (elapsedMs < STEP_MS) return null;
  const kept = Math.exp(-elapsedMs / MEMORY_MS);
  // A new day starts from 0.
  const grown = dayMicros >= before.dayMicros ? dayMicros - before.dayMicros : dayMicros;
  const planMicros = (targetPerSecond * elapsedMs) / 1000;
  if (grown > Math.max(PLAN_MULTIPLE_MAX * planMicros, IMPRESSIONS_MIN * unitMicros))
    return { ...before, share: Math.max(SHARE_MIN, before.share / 2), atMs: nowMs, dayMicros };
  const spentMicros = before.spentMicros * kept + grown;
  const openSeconds = before.openSeconds * kept + (before.share * elapsedMs) / 1000;
  const target = spentMicros > 0 ? (targetPerSecond * openSeconds) / spentMicros : Infinity;
  const share = Math.min(
    1,
    Math.max(SHARE_MIN, Math.min(before.share * GROWTH_MAX, Math.max(before.share / 2, target))),
  );
  return { share, atMs: nowMs, dayMicros, spentMicros, openSeconds };
}

/**
 * The state of a controller while its ad set is closed: it keeps its share and what it measured, since requests that do not
 * come say nothing. Null when it is too early for a step.
 */
export function holdPace(before: PaceState | null, dayMicros: Micros, nowMs: number): PaceState | null {
  if (!before) return steerPace(null, dayMicros, { targetPerSecond: 0, unitMicros: 0 }, nowMs);
  return nowMs - before.atMs < STEP_MS ? null : { ...before, atMs: nowMs, dayMicros };
}
