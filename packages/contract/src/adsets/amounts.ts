import { limits } from '../lib/limits.ts';

/** The bounds of an amount in dollars, and its names on screen. */
interface AmountRule {
  /** What it is called in columns and lists. */
  label: string;
  /** Dollars. */
  min: number;
  max: number;
  /** The name of no amount; absent where there must be one. */
  none?: string;
}

/** The amounts of an ad set, which the API and the screens check by the same bounds. */
export const ADSET_AMOUNTS = {
  bet_cpm: { label: 'CPM bid', min: limits.cpmMinDollars, max: limits.cpmMaxDollars },
  bet_cpi: { label: 'Target CPI', min: limits.amountMinDollars, max: limits.cpiMaxDollars, none: 'None' },
  cpa: { label: 'Target CPA', min: limits.amountMinDollars, max: limits.cpiMaxDollars, none: 'None' },
  daily_budget_const: {
    label: 'Daily budget',
    min: limits.amountMinDollars,
    max: limits.budgetMaxDollars,
    none: 'Unlimited',
  },
  all_budget_const: {
    label: 'Total budget',
    min: limits.amountMinDollars,
    max: limits.budgetMaxDollars,
    none: 'Unlimited',
  },
} as const satisfies Record<string, AmountRule>;
export type AdsetAmount = keyof typeof ADSET_AMOUNTS;

/** Whether a field of an ad set is an amount of dollars. */
export function isAdsetAmount(field: string): field is AdsetAmount {
  return Object.hasOwn(ADSET_AMOUNTS, field);
}
