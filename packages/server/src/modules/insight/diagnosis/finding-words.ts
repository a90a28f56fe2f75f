import type { Withheld } from './facts.ts';
import { MICROS } from '@bidwell/contract/lib/money';
import { dollarsText, numberText } from '@bidwell/contract/lib/number-text';
import type { Estimate } from '@bidwell/contract/insight/estimate';

const CENT_MICROS = MICROS / 100;

/** A whole number for a sentence: `3 100`. */
export const inDigits = (value: number): string => numberText(value);

/** Fewest requests that came to a step for a share of them and for advice: the next few may be very different. */
export const JUDGED_MIN = 20;

/** A number for a sentence: exact where it was counted, else `about 3 100`. */
export function inWords({ value, error }: Estimate): string {
  return error > 0 ? `about ${numberText(Number(value.toPrecision(2)))}` : inDigits(value);
}

/** A share in percent for a sentence: `92%`. Says `less than 1%` and `more than 99%` rather than 0 and 100. */
export function percent(part: number, all: number): string {
  if (all === 0 || part === 0) return '0%';
  if (part === all) return '100%';
  const share = (part / all) * 100;
  if (share < 1) return 'less than 1%';
  if (share > 99) return 'more than 99%';
  return `${Math.round(share)}%`;
}

/** {@link percent} with a decimal below 10%: `3.7%`. */
export function precisePercent(part: number, all: number): string {
  const share = (part / all) * 100;
  return share >= 0.1 && share < 9.95 ? `${share.toFixed(1).replace(/\.0$/, '')}%` : percent(part, all);
}

/** A name in a sentence. */
export const quoted = (name: string): string => `“${name}”`;

/** `This creative is too large for AppLovin: …` */
export function tooLargeText(creative: string, exchanges: readonly string[]): string {
  return `${creative} is too large for ${listed(exchanges)}: a bid with it exceeds the longest response accepted there.`;
}

/** An amount of money: `$1.80`. */
export const dollars = (amount: number): string => dollarsText(amount);

/** A price in whole cents that is not below one in dollars to the micro. */
export function inCents(price: number): number {
  return Math.ceil(Math.round(price * MICROS) / CENT_MICROS) / 100;
}

/** `requests` or `request`. */
export function counted({ value }: Estimate, one: string): string {
  return value === 1 ? one : `${one}s`;
}

/** A list for a sentence: `BR, IN and MX`. */
export function listed(values: readonly string[]): string {
  if (values.length < 2) return values.join('');
  return `${values.slice(0, -1).join(', ')} and ${values.at(-1)!}`;
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** Name of a country (ISO 3166-1 alpha-2). */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code;
}

/** Why exchanges do not show a creative that they review: one sentence for each. */
export function notApprovedText(creative: string, at: readonly Withheld[]): string {
  return at
    .map(({ exchange, state, reasons, heldBecause }) => {
      switch (state) {
        case 'disapproved':
          return reasons.length > 0
            ? `${exchange} disapproved ${creative}: ${reasons.join('; ').replace(/\.$/, '')}.`
            : `${exchange} disapproved ${creative} and gave no reason.`;
        case 'pending':
          return `${exchange} reviews ${creative} at present.`;
        default:
          return heldBecause === null
            ? `${creative} has yet to be sent to ${exchange} for review.`
            : `${exchange} has not taken ${creative}: ${heldBecause}`;
      }
    })
    .map((sentence) => sentence[0]!.toUpperCase() + sentence.slice(1))
    .join(' ');
}
