import { trafficLevelAt, weekdayLevelAt } from '../../traffic/countries.ts';

/** Days of history that the demo begins with. */
export const HISTORY_DAYS = 90;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Traffic at the start of the history, as a share of today's. */
const GROWTH_FROM = 0.025;
/** Days before the end at which the traffic was about a third of today's. */
const GROWTH_DAYS = 6.3;

/** Level of the traffic that the history grows to: 1 at its end, reached by degrees in the last three weeks. */
export function growthAt(atMs: number, nowMs: number): number {
  const age = Math.max(0, (nowMs - atMs) / DAY_MS / GROWTH_DAYS);
  return GROWTH_FROM + (1 - GROWTH_FROM) * Math.exp(-(age ** 2.2));
}

/** Bid requests of the hour that starts at `hourMs`, until the end of the history at `nowMs`; not a whole number. */
export function requestsIn(hourMs: number, requestsPerSecond: number, nowMs: number): number {
  const middleMs = hourMs + HOUR_MS / 2;
  const level = trafficLevelAt(middleMs) * weekdayLevelAt(middleMs) * growthAt(middleMs, nowMs);
  return (requestsPerSecond * level * Math.min(HOUR_MS, nowMs - hourMs)) / 1000;
}
