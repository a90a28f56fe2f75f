import { type Budgets, dailyOf, isAbove } from '@bidwell/contract/approvals/budgets';
import type { Micros } from '@bidwell/contract/lib/money';
import type { ApprovedBudget } from '../../../platform/postgres/schema.ts';

/** What may be spent where nothing runs. */
const NOTHING: Budgets = { daily_budget_micros: 0, all_budget_micros: 0 };

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
