import { formatNumber } from './format.ts';

/** A number of things, such as "1 bid" or "3 bids". */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}
