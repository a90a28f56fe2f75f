import { monthNames } from '@bidwell/contract/lib/calendar';
import { changePercent } from '@bidwell/contract/reports/metrics';
import { dollarsText, numberText } from '@bidwell/contract/lib/number-text';

/** Formats a number with `decimals` decimal places and spaces between thousands; '-' for null. */
export function formatNumber(value: number | null, decimals = 0): string {
  return value === null || !Number.isFinite(value) ? '-' : numberText(value, decimals);
}

/** Dollars with two decimal places; '-' for null. */
export function formatMoney(dollars: number | null): string {
  return dollars === null || !Number.isFinite(dollars) ? '-' : dollarsText(dollars);
}

/** A percentage, with two decimal places by default; '-' for null. */
export function formatPercent(percent: number | null, decimals = 2): string {
  return percent === null || !Number.isFinite(percent) ? '-' : `${numberText(percent, decimals)}%`;
}

/** Signed change against the previous period, in percent; ∞ for null, when the previous period had nothing. */
export function formatChange(percent: number | null): string {
  if (percent === null || !Number.isFinite(percent)) return '∞';
  const text = formatNumber(percent, 1);
  return `${percent > 0 && /[1-9]/.test(text) ? '+' : ''}${text}%`;
}

/** Signed change from `before` to `now`, which `percent` is where it is known; 0% where both are the same, also where both are 0. */
export function formatChangeFrom(
  before: number | null,
  now: number | null,
  percent = changePercent(now, before),
): string {
  return now === before ? '0%' : formatChange(percent);
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
