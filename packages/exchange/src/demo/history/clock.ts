const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Hour of UTC at which the people of the demo work, unless a step has an hour of its own. */
const OFFICE_HOUR = 9;

/** The time of an hour of UTC, a number of days before the day of `nowMs`; Unix ms. */
export function daysBefore(nowMs: number, daysAgo: number, hour: number = OFFICE_HOUR): number {
  return Math.floor(nowMs / DAY_MS) * DAY_MS - daysAgo * DAY_MS + hour * HOUR_MS;
}
