import { addDays } from '@bidwell/contract/calendar';
import type { HighlightQuery } from '@bidwell/contract/analytics';

export type Group = HighlightQuery['group'];

/** The first day of the bucket that a date (YYYY-MM-DD) falls into; weeks begin on Monday, as in ISO 8601. */
export function bucketOf(date: string, group: Group): string {
  if (group === 'year') return `${date.slice(0, 4)}-01-01`;
  if (group === 'month') return `${date.slice(0, 7)}-01`;
  if (group === 'day') return date;
  const daysSinceMonday = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
  return addDays(date, -daysSinceMonday);
}

/** Every bucket that holds a day of the range, in order; null when there would be more than `max`. */
export function bucketsOf(startDate: string, endDate: string, group: Group, max: number): string[] | null {
  const buckets: string[] = [];
  for (let bucket = bucketOf(startDate, group); bucket <= endDate; bucket = nextBucket(bucket, group)) {
    if (buckets.length === max) return null;
    buckets.push(bucket);
  }
  return buckets;
}

const longest = { day: 1, week: 7, month: 31, year: 366 } as const;

function nextBucket(bucket: string, group: Group): string {
  return bucketOf(addDays(bucket, longest[group]), group);
}
