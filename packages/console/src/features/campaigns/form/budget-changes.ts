import type { AdsetChange } from '@bidwell/contract/approvals/schema';
import type { AdsetValues } from '../adset-form/adset-values.ts';

interface FormAdset {
  /** Null of an ad set that is not saved. */
  uuid: string | null;
  values: AdsetValues;
  /** As the server has it. */
  saved: AdsetValues | null;
}

/**
 * The changes of a form to saved ad sets that a second person may have to approve: budgets in dollars, and whether they run.
 * Unchanged ad sets are left out. Pure.
 */
export function budgetChanges(adsets: readonly FormAdset[]): AdsetChange[] {
  return adsets.flatMap(({ uuid, values, saved }) => {
    if (uuid === null || saved === null) return [];
    const { daily_budget_const: daily, all_budget_const: total, status } = values;
    const change = {
      ...(daily !== saved.daily_budget_const && { daily_budget_const: daily }),
      ...(total !== saved.all_budget_const && { all_budget_const: total }),
      ...(status === 'Active' && saved.status !== 'Active' && { status }),
    };
    return Object.keys(change).length > 0 ? [{ uuid, ...change }] : [];
  });
}
