/** Days of history that the demo begins with. */
export const HISTORY_DAYS = 90;

const DAY_MS = 86_400_000;
/** Traffic at the start of the history, as a share of today's. */
const GROWTH_FROM = 0.5;

/** Level of the traffic that the history grows to: 1 at its end. */
export function growthAt(atMs: number, nowMs: number): number {
  const age = Math.min(1, Math.max(0, (nowMs - atMs) / (HISTORY_DAYS * DAY_MS)));
  return 1 - (1 - GROWTH_FROM) * age;
}
