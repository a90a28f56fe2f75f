import { trafficLevelAt, weekdayLevelAt } from '../../traffic/countries.ts';

/** Days of history that the demo begins with. */
export const HISTORY_DAYS = 90;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Traffic at the start of the history, as a share of today's. */
const GROWTH_FROM = 0.5;

/** Level of the traffic that the history grows to: 1 at its end. */
export function growthAt(atMs: number, nowMs: number): number {
  const age = Math.min(1, Math.max(0, (nowMs - atMs) / (HISTORY_DAYS * DAY_MS)));
  return 1 - (1 - GROWTH_FROM) * age;
}

/** Bid requests of the hour that starts at `hourMs`, until the end of the history at `nowMs`; not a whole number. */
export function requestsIn(hourMs: number, requestsPerSecond: number, nowMs: number): number {
  const middleMs = hourMs + HOUR_MS / 2;
  const level = trafficLevelAt(middleMs) * weekdayLevelAt(middleMs) * growthAt(middleMs, nowMs);
  return (requestsPerSecond * level * Math.min(HOUR_MS, nowMs - hourMs)) / 1000;
}
