import { startOfDayMs, dateAt } from '@bidwell/contract/calendar';
import type { Micros } from '@bidwell/contract/money';

export const QUARTER_MS = 15 * 60_000;
/** Quarters of an hour in a day. */
export const QUARTERS = 96;

/** Spending ends so long before the day does: what then lost its auction can still be bid again. */
const FINISH_MS = QUARTER_MS;
/** How far ahead the plan looks. */
const AHEAD_MS = 5 * 60_000;

/** A company's day: Unix ms, the end exclusive. */
export interface Day {
  startMs: number;
  endMs: number;
}

/** The day at an instant, in a time zone. */
export function dayAt(nowMs: number, timeZone: string): Day {
  const startMs = startOfDayMs(dateAt(nowMs, timeZone), timeZone);
  return { startMs, endMs: startOfDayMs(dateAt(startMs + 36 * 3_600_000, timeZone), timeZone) };
}

/** Of what traffic brings in a day, the part from one instant to another; `shape` by the quarters of a day in UTC. */
export function trafficBetween(shape: readonly number[], fromMs: number, toMs: number): number {
  let sum = 0;
  for (let atMs = fromMs; atMs < toMs;) {
    const endMs = Math.min(toMs, (Math.floor(atMs / QUARTER_MS) + 1) * QUARTER_MS);
    sum += (shape[Math.floor(atMs / QUARTER_MS) % QUARTERS]! * (endMs - atMs)) / QUARTER_MS;
    atMs = endMs;
  }
  return sum;
}

/**
 * The share of the money left for the day that should be spent in the next second, so that spend follows the traffic:
 * the traffic soon to come, of all that comes before the day's finish.
 */
export function sharePerSecond(shape: readonly number[], day: Day, nowMs: number): number {
  const finishMs = day.endMs - FINISH_MS;
  const soonMs = Math.min(nowMs + AHEAD_MS, finishMs);
  const left = trafficBetween(shape, nowMs, finishMs);
  // At the finish, or where no more traffic is expected: whatever comes is taken.
  if (soonMs - nowMs < 60_000 || left <= 0) return 1 / 60;
  return Math.min(1 / 60, trafficBetween(shape, nowMs, soonMs) / left / ((soonMs - nowMs) / 1000));
}

/** What the controller of an ad set's pace remembers. JSON. */
export interface PaceState {
  /** The share of offers to bid on. */
  share: number;
  atMs: number;
  /** The day's spend at that time. */
  dayMicros: Micros;
  /** Spend and share × seconds of the last minutes, older ones weighing less. */
  spentMicros: number;
  openSeconds: number;
}

const STEP_MS = 15_000;
const MEMORY_MS = 10 * 60_000;
const SHARE_MIN = 0.001;
const SHARE_FIRST = 0.02;
const GROWTH_MAX = 1.5;

/**
 * Moves the share of offers that an ad set bids on, so that it spends `wantedPerSecond` micros. Null when it is too early
 * for a step. What a full share would bring is learned from what the shares of the last minutes brought; that the
 * day's remaining money is planned anew at each step corrects what went wrong before (the integral of a PID controller).
 */
export function steerPace(
  before: PaceState | null,
  dayMicros: Micros,
  wantedPerSecond: number,
  nowMs: number,
): PaceState | null {
  if (!before) return { share: SHARE_FIRST, atMs: nowMs, dayMicros, spentMicros: 0, openSeconds: 0 };
  const elapsedMs = nowMs - before.atMs;
  if (elapsedMs < STEP_MS) return null;
  const kept = Math.exp(-elapsedMs / MEMORY_MS);
  // A new day starts from 0.
  const grown = dayMicros >= before.dayMicros ? dayMicros - before.dayMicros : dayMicros;
  const spentMicros = before.spentMicros * kept + grown;
  const openSeconds = before.openSeconds * kept + (before.share * elapsedMs) / 1000;
  const wanted = spentMicros > 0 ? (wantedPerSecond * openSeconds) / spentMicros : Infinity;
  const share = Math.min(
    1,
    Math.max(SHARE_MIN, Math.min(before.share * GROWTH_MAX, Math.max(before.share / 2, wanted))),
  );
  return { share, atMs: nowMs, dayMicros, spentMicros, openSeconds };
}
