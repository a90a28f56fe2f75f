import type { Micros } from '@bidwell/contract/lib/money';

/** Micros in one cent. */
const CENT = 10_000;

/** Micros as whole cents, rounding half away from zero. Pure. */
export function toCents(micros: Micros): number {
  return Math.sign(micros) * Math.floor((Math.abs(micros) + CENT / 2) / CENT) || 0;
}

/**
 * Amounts as whole cents that sum to the rounded sum: each is the rounded running sum less the one before, so it differs from its own
 * amount by less than a cent. Pure.
 */
export function linesInCents(micros: readonly Micros[]): number[] {
  let sum = 0;
  let printed = 0;
  return micros.map((amount) => {
    sum += amount;
    const before = printed;
    printed = toCents(sum);
    return printed - before;
  });
}

/** A percentage with at most two decimals of an amount in cents, rounding half away from zero. Pure. */
export function taxCents(netCents: number, ratePercent: number): number {
  const scaled = BigInt(Math.abs(netCents)) * BigInt(Math.round(ratePercent * 100));
  return Math.sign(netCents) * Number((scaled + 5000n) / 10_000n) || 0;
}

/** Cents of a dollar in the smallest unit of another currency with `decimals` decimals, rounding half up. Pure. */
export function inCurrency(cents: number, perDollarMillionths: number, decimals: number): number {
  // cents / 100 × millionths / 1,000,000 × 10^decimals
  const scaled = BigInt(cents) * BigInt(perDollarMillionths) * 10n ** BigInt(decimals);
  return Number((scaled + 50_000_000n) / 100_000_000n);
}

/** Decimals of a currency: 2 for most, 0 for the yen. */
export function decimalsOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
    .maximumFractionDigits!;
}
