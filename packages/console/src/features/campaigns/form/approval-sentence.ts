import type { ApprovalLimits } from '@bidwell/contract/approvals/schema';
import { formatMoney } from '../../../lib/format/format.ts';
import type { AdsetFormItem } from './campaign-form-values.ts';

type Amount = number | null;

/**
 * Says that a second person has to approve the budgets of ad sets that will run, in dollars; null where they are within the limits. The
 * server decides: it also knows what was approved before. Pure.
 */
export function approvalSentence(
  active: readonly AdsetFormItem[],
  { daily_budget_above: dailyMax, total_budget_above: totalMax }: ApprovalLimits,
): string | null {
  if (active.length === 0) return null;
  const daily = sum(
    active.map(({ values: { daily_budget_const: day, all_budget_const: total } }) =>
      dailyOf(day || null, total || null),
    ),
  );
  const total = sum(active.map(({ values }) => values.all_budget_const || null));
  const limit = isAbove(daily, dailyMax)
    ? `${formatMoney(dailyMax)} a day`
    : isAbove(total, totalMax)
      ? `${formatMoney(totalMax)} in total`
      : null;
  return limit && `A second person has to approve it: the budgets are above ${limit}.`;
}

/** The most that an ad set spends on a day; null is unlimited. */
const dailyOf = (daily: Amount, total: Amount): Amount =>
  daily === null || total === null ? (daily ?? total) : Math.min(daily, total);

const sum = (amounts: readonly Amount[]): Amount =>
  amounts.reduce<Amount>((all, amount) => (all === null || amount === null ? null : all + amount), 0);

const isAbove = (amount: Amount, max: Amount): boolean => max !== null && (amount === null || amount > max);
