import type { Micros } from '@bidwell/contract/lib/money';
import type { ApprovedBudget } from '../../platform/postgres/schema.ts';
import type { BudgetRow, LimitsRow } from './store.ts';

/** Budgets of an ad set in micros; null is unlimited. */
export type Budgets = Pick<BudgetRow, 'daily_budget_micros' | 'all_budget_micros'>;

/** What the ad sets of a campaign may spend together, in micros; null is unlimited. */
export interface BudgetSum {
  daily: bigint | null;
  total: bigint | null;
}

/** What may be spent where nothing runs. */
const NOTHING: Budgets = { daily_budget_micros: 0, all_budget_micros: 0 };

/** The most that an ad set spends on a day: its daily budget, or its total one if that is all it has. */
const dailyOf = ({ daily_budget_micros: daily, all_budget_micros: total }: Budgets): Micros | null =>
  daily === null || total === null ? (daily ?? total) : Math.min(daily, total);

/** The budgets of ad sets together. Exact: sums may exceed what a number holds. */
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

/** The limit that budgets exceed, in micros; null if they exceed none. */
export function exceeded(
  { daily, total }: BudgetSum,
  { approval_daily_micros: dailyMax, approval_total_micros: totalMax }: LimitsRow,
): { of: 'day' | 'total'; micros: Micros } | null {
  if (dailyMax !== null && isAbove(daily, dailyMax)) return { of: 'day', micros: dailyMax };
  if (totalMax !== null && isAbove(total, totalMax)) return { of: 'total', micros: totalMax };
  return null;
}

/** Whether an amount is above another one, where null is unlimited. */
const isAbove = (amount: bigint | number | null, max: Micros | null): boolean =>
  max !== null && (amount === null || amount > max);

/** Whether each of the ad sets has no more than the budgets that were approved for it. */
export function isCovered(
  running: readonly (Budgets & { uuid: string })[],
  approved: readonly ApprovedBudget[],
): boolean {
  const byUuid = new Map(approved.map((one) => [one.uuid, one]));
  return running.every((adset) => {
    const most = byUuid.get(adset.uuid);
    return most !== undefined && !exceeds(adset, most);
  });
}

/** What an ad set may spend: nothing unless it is Active and not archived. */
export function spendable(adset: {
  status: string;
  archived_at: Date | string | null;
  daily_budget_micros: Micros | null;
  all_budget_micros: Micros | null;
}): Budgets {
  return adset.status === 'Active' && adset.archived_at === null ? adset : NOTHING;
}

/** Whether budgets are above others, on a day or in total. */
export function exceeds(budgets: Budgets, others: Budgets): boolean {
  return (
    isAbove(dailyOf(budgets), dailyOf(others)) ||
    isAbove(budgets.all_budget_micros, others.all_budget_micros) ||
    isAbove(budgets.daily_budget_micros, others.daily_budget_micros)
  );
}
