import { addDays, daysBetween } from '@bidwell/contract/lib/calendar';
import type { DateRange } from './date-presets.ts';

/** What the figures of a range are compared with. */
export interface ComparisonWords {
  /** After the earlier value: `vs $7.00 in the 7 days before`. */
  when: string;
  /** A sentence. */
  about: string;
}

/**
 * What the figures of a range are compared with: the days before, and for a range that has not ended only the same part of
 * them, up to the present time of day. `today` is in the company's time zone. Pure.
 */
export function comparisonWords({ start, end }: DateRange, today: string): ComparisonWords {
  const isOver = today < start || today > end;
  if (start === end)
    return isOver
      ? { when: 'the day before', about: 'Compared with the day before' }
      : {
          when: 'by this time yesterday',
          about: 'Today so far, compared with yesterday up to the same time of day',
        };
  const before = `the ${daysBetween(start, addDays(end, 1))} days before`;
  return isOver
    ? { when: `in ${before}`, about: `Compared with ${before}` }
    : {
        when: `in ${before}, by this time`,
        about: `Compared with ${before}, up to the same day and time of day`,
      };
}
