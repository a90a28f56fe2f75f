import { addDays } from '@bidwell/contract/lib/calendar';
import { limits } from '@bidwell/contract/lib/limits';

/** A range of calendar days, both inclusive, YYYY-MM-DD. */
export interface DateRange {
  start: string;
  end: string;
}

/** The named ranges of the date range picker. */
export const PRESETS = [
  'Today',
  'Yesterday',
  'This Week',
  'Last Week',
  'This Month',
  'Last Month',
  'Last 7 Days',
  'Last 14 Days',
  'Last 30 Days',
] as const;
export type Preset = (typeof PRESETS)[number];

/** A selection as stored: a preset by its name, so that it moves with the days, or fixed days. */
export type StoredRange = { preset: Preset } | DateRange;

const monthStart = (day: string): string => `${day.slice(0, 7)}-01`;

/** The Monday of a day's week. Computed in UTC, where every day has 24 hours. */
function monday(day: string): string {
  return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}

/** The days of a preset as of `today`. A period that has not ended yet ends today. */
export function presetRange(preset: Preset, today: string): DateRange {
  const yesterday = addDays(today, -1);
  const endOfLastMonth = addDays(monthStart(today), -1);
  switch (preset) {
    case 'Today':
      return { start: today, end: today };
    case 'Yesterday':
      return { start: yesterday, end: yesterday };
    case 'This Week':
      return { start: monday(today), end: today };
    case 'Last Week':
      return { start: addDays(monday(today), -7), end: addDays(monday(today), -1) };
    case 'This Month':
      return { start: monthStart(today), end: today };
    case 'Last Month':
      return { start: monthStart(endOfLastMonth), end: endOfLastMonth };
    case 'Last 7 Days':
      return { start: addDays(today, -6), end: today };
    case 'Last 14 Days':
      return { start: addDays(today, -13), end: today };
    case 'Last 30 Days':
      return { start: addDays(today, -29), end: today };
  }
}

/** The preset that equals the range, or Custom. Where several are equal, as on a Sunday, `preferred` wins. */
export function presetOf(range: DateRange, today: string, preferred?: Preset): Preset | 'Custom' {
  const order = preferred ? [preferred, ...PRESETS] : PRESETS;
  const found = order.find((preset) => {
    const { start, end } = presetRange(preset, today);
    return start === range.start && end === range.end;
  });
  return found ?? 'Custom';
}

/** Validates a range read from the browser's storage; null when it is not one. */
export function readStoredRange(raw: unknown): StoredRange | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const { preset, start, end } = raw as Partial<Record<string, unknown>>;
  const known = PRESETS.find((name) => name === preset);
  if (known) return { preset: known };
  return typeof start === 'string' && typeof end === 'string' && isRange(start, end) ? { start, end } : null;
}

/** The preset where nothing was selected, on most screens. */
export const DEFAULT_PRESET: Preset = 'Last 7 Days';

/** The preset of a stored selection: `fallback` without a selection, undefined for fixed days. */
export function storedPreset(
  stored: StoredRange | null,
  fallback: Preset = DEFAULT_PRESET,
): Preset | undefined {
  if (stored === null) return fallback;
  return 'preset' in stored ? stored.preset : undefined;
}

/** The days of a stored selection; without one, the days of `fallback`. */
export function rangeOf(
  stored: StoredRange | null,
  today: string,
  fallback: Preset = DEFAULT_PRESET,
): DateRange {
  return stored && 'start' in stored ? stored : presetRange(storedPreset(stored, fallback)!, today);
}

/** Whether both are valid days within the allowed years, in order. */
export function isRange(start: string, end: string): boolean {
  return isDay(start) && isDay(end) && start <= end;
}

/** Parses MM/DD/YYYY into YYYY-MM-DD; null if it is not a day within the allowed years. */
export function parseTypedDate(text: string): string | null {
  const [, month = '', day = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim()) ?? [];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(date) ? date : null;
}

/** Formats YYYY-MM-DD as MM/DD/YYYY. */
export function typedDate(date: string): string {
  const [year, month, day] = date.split('-');
  return `${month}/${day}/${year}`;
}

function isDay(date: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || date < limits.dateMin || date > limits.dateMax) return false;
  const at = new Date(`${date}T00:00:00Z`);
  // Date reads February 30 as a day of March; only a real day is formatted back unchanged.
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === date;
}
