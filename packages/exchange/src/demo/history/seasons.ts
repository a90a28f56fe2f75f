import { trafficLevelAt, weekdayLevelAt } from '../../traffic/countries.ts';

/** Days of history that the demo begins with. */
export const HISTORY_DAYS = 90;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Factor of the traffic from a week to the next. */
const WEEKLY_GROWTH = 1.12;

/** Level of the traffic that the history grows to, by the same factor each week: 1 at its end. */
export function growthAt(atMs: number, nowMs: number): number {
  return WEEKLY_GROWTH ** (-Math.max(0, nowMs - atMs) / (7 * DAY_MS));
}

/** Bid requests of the hour that starts at `hourMs`, until the end of the history at `nowMs`; not a whole number. */
export function requestsIn(hourMs: number, requestsPerSecond: number, nowMs: number): number {
  const middleMs = hourMs + HOUR_MS / 2;
  const level = trafficLevelAt(middleMs) * weekdayLevelAt(middleMs) * growthAt(middleMs, nowMs);
  return (requestsPerSecond * level * Math.min(HOUR_MS, nowMs - hourMs)) / 1000;
}
