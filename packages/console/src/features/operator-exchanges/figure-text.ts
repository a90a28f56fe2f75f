import { formatNumber, formatPercent } from '../../lib/format/format.ts';

/** Below this, a number needs decimal places to say anything. */
const SMALL = 10;

/** Requests per second; small ones with decimal places. */
export function rateText(perSecond: number | null): string {
  return formatNumber(perSecond, perSecond !== null && perSecond > 0 && perSecond < SMALL ? 2 : 0);
}

/** Milliseconds with as many places as their error of 8 % allows. */
export function latencyText(ms: number | null): string {
  return ms === null ? '-' : formatNumber(ms, ms === 0 ? 0 : ms < 1 ? 2 : ms < SMALL ? 1 : 0);
}

/** Percent with one decimal place; '-' for null. */
export function shareText(percent: number | null): string {
  return formatPercent(percent, 1);
}
