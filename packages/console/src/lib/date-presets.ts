import { addDays } from '@bidwell/contract/calendar';
import { limits } from '@bidwell/contract/limits';

/** A range of calendar days, both inclusive, YYYY-MM-DD. */
export interface DateRange {
  start: string;
  end: string;
}

/** The named ranges of the date range picker (specification, section 2, Shared widgets). */
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

/** What is kept of a choice: a preset by its name, so that it moves with the days, or the very days. */
export type KeptRange = { preset: Preset } | DateRange;

const monthStart = (day: string): string => `${day.slice(0, 7)}-01`;

/** The Monday of a day's week. Days are counted in UTC, where none is longer than another. */
function monday(day: string): string {
  return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}

/** The days that a preset names on a given today; what is going on ends today. */
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

/** The preset that a range is, or Custom. Where two are the same days, as on a Sunday, `preferred` wins. */
export function presetOf(range: DateRange, today: string, preferred?: Preset): Preset | 'Custom' {
  const order = preferred ? [preferred, ...PRESETS] : PRESETS;
  const found = order.find((preset) => {
    const { start, end } = presetRange(preset, today);
    return start === range.start && end === range.end;
  });
  return found ?? 'Custom';
}

/** A range as it is kept, from whatever the browser's storage holds; null when that is none. */
export function readKeptRange(raw: unknown): KeptRange | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const { preset, start, end } = raw as Partial<Record<string, unknown>>;
  const known = PRESETS.find((name) => name === preset);
  if (known) return { preset: known };
  return typeof start === 'string' && typeof end === 'string' && isRange(start, end) ? { start, end } : null;
}

/** The preset that is kept by its name; the last 7 days where nothing is kept, and none where days are. */
export function keptPreset(kept: KeptRange | null): Preset | undefined {
  if (kept === null) return 'Last 7 Days';
  return 'preset' in kept ? kept.preset : undefined;
}

/** The days of a kept range; the last 7 days without one. */
export function rangeOf(kept: KeptRange | null, today: string): DateRange {
  return kept && 'start' in kept ? kept : presetRange(keptPreset(kept)!, today);
}

/** Whether both are days within our years, in their order. */
export function isRange(start: string, end: string): boolean {
  return isDay(start) && isDay(end) && start <= end;
}

/** A date typed as MM/DD/YYYY, as YYYY-MM-DD; null for what is no such day within our years. */
export function parseTypedDate(text: string): string | null {
  const [, month = '', day = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim()) ?? [];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(date) ? date : null;
}

/** A date as it is typed: MM/DD/YYYY. */
export function typedDate(date: string): string {
  const [year, month, day] = date.split('-');
  return `${month}/${day}/${year}`;
}

function isDay(date: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || date < limits.dateMin || date > limits.dateMax) return false;
  const at = new Date(`${date}T00:00:00Z`);
  // The 30th of February is read as a day of March: only what comes back the same is a day.
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === date;
}
