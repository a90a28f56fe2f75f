import type { Estimate } from '@bidwell/contract/insight/estimate';
import { formatNumber, formatPercent } from '../../../lib/format/format.ts';

/**
 * `about 1 090 000 ± 40 000`: an estimate with the digits that its error leaves; the number itself if all were counted.
 * `sign` precedes the number. Pure.
 */
export function estimateText({ value, error }: Estimate, sign = ''): string {
  if (error <= 0) return `${sign}${formatNumber(value)}`;
  const within = Math.max(1, Number(error.toPrecision(1)));
  const unit = 10 ** Math.floor(Math.log10(within));
  return `about ${sign}${formatNumber(Math.round(value / unit) * unit)} ± ${formatNumber(within)}`;
}

/** A part of requests in percent: `82.1%`. Pure. */
export function shareText(part: number, all: number): string {
  const share = all > 0 ? (part / all) * 100 : 0;
  return share > 0 && share < 0.1 ? '< 0.1%' : formatPercent(share, 1);
}
