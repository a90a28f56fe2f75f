const DAY_MS = 86_400_000;

/** The instant a number of days of 24 hours before another one. */
export function daysBefore(at: Date, days: number): Date {
  return new Date(at.getTime() - days * DAY_MS);
}
