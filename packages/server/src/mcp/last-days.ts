/** The last days, today included, as the range of a report. By UTC: a day more of a report than a company has is empty. */
export function lastDays(now: Date, days: number): { start_date: string; end_date: string } {
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { start_date: dayOf(now.getTime() - (days - 1) * 86_400_000), end_date: dayOf(now.getTime()) };
}
