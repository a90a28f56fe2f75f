import dayjs from 'dayjs';

/** A range of calendar days, both inclusive, YYYY-MM-DD. */
export interface DateRange {
  start: string;
  end: string;
}

const text = (day: dayjs.Dayjs): string => day.format('YYYY-MM-DD');

/** The Monday of a day's week. */
function monday(day: dayjs.Dayjs): dayjs.Dayjs {
  return day.subtract((day.day() + 6) % 7, 'day');
}

/** The named ranges of the date range picker, for a given today (specification, section 2, Shared widgets). */
export function datePresets(today: string): { label: string; range: DateRange }[] {
  const now = dayjs(today);
  const range = (start: dayjs.Dayjs, end: dayjs.Dayjs = now): DateRange => ({
    start: text(start),
    end: text(end),
  });
  const lastMonth = now.startOf('month').subtract(1, 'month');
  const yesterday = now.subtract(1, 'day');
  return [
    { label: 'Today', range: range(now) },
    { label: 'Yesterday', range: range(yesterday, yesterday) },
    { label: 'This Week', range: range(monday(now)) },
    { label: 'Last Week', range: range(monday(now).subtract(7, 'day'), monday(now).subtract(1, 'day')) },
    { label: 'This Month', range: range(now.startOf('month')) },
    { label: 'Last Month', range: range(lastMonth, lastMonth.endOf('month')) },
    { label: 'Last 7 Days', range: lastDays(7, today) },
    { label: 'Last 14 Days', range: lastDays(14, today) },
    { label: 'Last 30 Days', range: lastDays(30, today) },
  ];
}

/** The last `count` days, today included. */
export function lastDays(count: number, today: string): DateRange {
  return { start: text(dayjs(today).subtract(count - 1, 'day')), end: text(dayjs(today)) };
}

/** The preset that a range is, or Custom. */
export function presetOf(range: DateRange, today: string): string {
  const found = datePresets(today).find(
    ({ range: { start, end } }) => start === range.start && end === range.end,
  );
  return found?.label ?? 'Custom';
}
