import type { DateRange } from './date-presets.ts';

/** How a figure's previous value is named, and what it is of, for a tooltip. */
export interface ComparisonWords {
  /** Before the value: `vs previous $7.00`. */
  vs: string;
  /** After the value; '' for nothing. */
  until: string;
  about: string;
}

/**
 * What the figures of a range are compared with: the days before, and while the range has not ended only as much of them, up
 * to the present time of day. `today` is that of the company. Pure.
 */
export function comparisonWords({ start, end }: DateRange, today: string): ComparisonWords {
  if (today < start || today > end)
    return { vs: 'vs previous', until: '', about: 'Compared with the previous period of the same length' };
  if (start === end)
    return {
      vs: 'vs',
      until: 'by this time yesterday',
      about: 'Today so far, compared with yesterday up to the same time of day',
    };
  return {
    vs: 'vs previous',
    until: '',
    about: 'Compared with the previous period of the same length, up to the same day and time of day',
  };
}
