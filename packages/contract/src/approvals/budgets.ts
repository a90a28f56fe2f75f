import type { Micros } from '../lib/money.ts';

/** Budgets of an ad set in micros; null is unlimited. */
export interface Budgets {
  daily_budget_micros: Micros | null;
  all_budget_micros: Micros | null;
}

/** The most that ad sets may spend together, in micros; null is unlimited. */
export interface BudgetSum {
  daily: bigint | null;
  total: bigint | null;
}

/** Above which budgets of a campaign a second person has to approve, in micros; null is never. */
export interface ApprovalMicros {
  approval_daily_micros: Micros | null;
  approval_total_micros: Micros | null;
}

/** The most that an ad set spends on a day, in micros: its daily budget, or its total one if that is all it has. Pure. */
export const dailyOf = ({ daily_budget_micros: daily, all_budget_micros: total }: Budgets): Micros | null =>
  daily === null || total === null ? (daily ?? total) : Math.min(daily, total);

/** The budgets of ad sets together. Exact: sums may exceed the range of a number. Pure. */
export function sumOf(adsets: readonly Budgets[]): BudgetSum {
  return {
    daily: sum(adsets.map(dailyOf)),
    total: sum(adsets.map(({ all_budget_micros }) => all_budget_micros)),
  };
}

function sum(amounts: readonly (Micros | null)[]): bigint | null {
  let all = 0n;
  for (const amount of amounts) {
    if (amount === null) return null;
    all += BigInt(amount);
  }
  return all;
}

/** The limit that budgets exceed, in micros; null if they exceed none. Pure. */
export function exceeded(
  { daily, total }: BudgetSum,
  { approval_daily_micros: dailyMax, approval_total_micros: totalMax }: ApprovalMicros,
): { of: 'day' | 'total'; micros: Micros } | null {
  if (dailyMax !== null && isAbove(daily, dailyMax)) return { of: 'day', micros: dailyMax };
  if (totalMax !== null && isAbove(total, totalMax)) return { of: 'total', micros: totalMax };
  return null;
}

/** Whether an amount is above another one, where null is unlimited. Pure. */
export const isAbove = (amount: bigint | number | null, max: Micros | null): boolean =>
  max !== null && (amount === null || amount > max);
