import { v7 as uuidv7 } from 'uuid';

// Sampled bids of a fixed date of years ago would expire at once, so tests of the bid log use yesterday.

/** The day `days` before today in UTC, ISO 8601. */
export function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

export const YESTERDAY = dayBefore(1);
/** Yesterday as the parameters of a report. */
export const RANGE = `start_date=${YESTERDAY}&end_date=${YESTERDAY}`;
/** Noon of yesterday in UTC. */
export const NOON = `${YESTERDAY}T12:00:00.000Z`;
export const NOON_MS = Date.parse(NOON);

/** The id of a new bid that was made at an instant, by default one second before noon. */
export function bidIdAt(msecs = NOON_MS - 1000): string {
  return uuidv7({ msecs });
}
