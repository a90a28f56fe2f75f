import { monthNames } from '@bidwell/contract/lib/calendar';

/** No-break space between thousands, which keeps a number on one line. */
const SPACE = '\u00a0';

/** Formats a number with `decimals` decimal places and spaces between thousands; '-' for null. */
export function formatNumber(value: number | null, decimals = 0): string {
  if (value === null || !Number.isFinite(value)) return '-';
  const [whole = '', fraction] = Math.abs(value).toFixed(decimals).split('.');
  const grouped = threes(whole).join(SPACE);
  const digits = fraction ? `${grouped}.${fraction}` : grouped;
  return value < 0 && /[1-9]/.test(digits) ? `-${digits}` : digits;
}

/** Splits digits into groups of three, from the right. */
function threes(digits: string): string[] {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups;
}

/** Dollars with two decimal places; '-' for null. */
export function formatMoney(dollars: number | null): string {
  if (dollars === null || !Number.isFinite(dollars)) return '-';
  const text = formatNumber(Math.abs(dollars), 2);
  return dollars < 0 && /[1-9]/.test(text) ? `-$${text}` : `$${text}`;
}

/** A percentage with two decimal places; '-' for null. */
export function formatPercent(percent: number | null): string {
  return percent === null || !Number.isFinite(percent) ? '-' : `${formatNumber(percent, 2)}%`;
}

/** Signed change against the previous period, in percent; ∞ for null, when the previous period had nothing. */
export function formatChange(percent: number | null): string {
  if (percent === null || !Number.isFinite(percent)) return '∞';
  const text = formatNumber(percent, 1);
  return `${percent > 0 && /[1-9]/.test(text) ? '+' : ''}${text}%`;
}

/** Formats a day as May 04 / 2026; an instant as its day in the reader's time zone. */
export function formatDay(date: string): string {
  // Without a time, Date reads the day as midnight UTC, which is the day before west of it.
  return dayText(new Date(date.length === 10 ? `${date}T00:00` : date));
}

/** Formats an instant in the reader's time zone. */
export function formatMoment(iso: string): string {
  const moment = new Date(iso);
  const day = dayText(moment);
  return day === '-' ? day : `${day}, ${twoDigits(moment.getHours())}:${twoDigits(moment.getMinutes())}`;
}

function dayText(moment: Date): string {
  if (Number.isNaN(moment.getTime())) return '-';
  return `${monthNames[moment.getMonth()]} ${twoDigits(moment.getDate())} / ${moment.getFullYear()}`;
}

const twoDigits = (value: number) => String(value).padStart(2, '0');
