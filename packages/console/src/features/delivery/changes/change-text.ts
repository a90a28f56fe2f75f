import type { ChangeComparison, ComparedChange } from '@bidwell/contract/campaign-reports/changes';
import { changePercent } from '@bidwell/contract/reports/metrics';
import type { Rate } from '@bidwell/contract/lib/rate';
import { kindOf, valueFields, verbOf } from '../../../entities/changes/change-values.ts';
import { formatCount } from '../../../lib/format/count-text.ts';
import { formatChange, formatDay, formatMoney } from '../../../lib/format/format.ts';

export type Compared = Extract<ChangeComparison, { outcome: 'compared' }>;

/** The compared periods, and how many other changes they share. */
export function sidesText({ days }: Compared, together: number): string {
  const others =
    together === 0 ? '' : `, together with ${formatCount(together, 'other change')} within the hour`;
  return `${days === 1 ? '24 hours' : `${days} × 24 hours`} before and after${others}`;
}

/** How the figures developed after a change, without a claim about the cause. */
export function outcomeText({ before, after }: Compared): string {
  const percents = [
    ['impressions per 24 hours', before.impressions_per_day, after.impressions_per_day],
    ['spend per 24 hours', before.spend_per_day, after.spend_per_day],
  ] as const;
  const rates = [
    ['CTR', before.ctr_rate, after.ctr_rate],
    ['IPM', before.ipm_rate, after.ipm_rate],
  ] as const;
  const parts = [
    ...percents
      .filter(([, from, to]) => from > 0 || to > 0)
      .map(([name, from, to]) => `${name} ${from > 0 ? formatChange(changePercent(to, from)) : 'up from 0'}`),
    ...rates.flatMap(([name, from, to]) => (from && to ? [`${name} ${differenceText(from, to)}`] : [])),
  ];
  return parts.length === 0 ? 'No impressions before or after.' : `After the change: ${parts.join(', ')}.`;
}

/** Rates differ where their intervals do not overlap. */
function differenceText(before: Rate, after: Rate): string {
  if (after.low > before.high) return 'higher';
  return after.high < before.low ? 'lower' : 'without a clear difference';
}

const texts = new Set(['name', 'description']);

/** Why the figures before and after a change are not compared. */
export function notComparedText({ comparison, ...change }: ComparedChange): string {
  if (comparison?.outcome === 'too_early')
    return `Not enough data yet: ${comparison.hours === 0 ? 'less than an hour' : formatCount(comparison.hours, 'hour')} since the change. Figures are compared from a day on.`;
  if (comparison?.outcome === 'too_close')
    return `Not compared: another change of this ${kindOf(change)} came less than a day before or after.`;
  if (change.fields_left_out) return 'Not compared: it was new, or only its name and description changed.';
  return change.action === 'update' && valueFields(change.fields).every(({ field }) => texts.has(field))
    ? 'Not compared: names and descriptions do not affect delivery.'
    : `Not compared: the ${kindOf(change)} was new.`;
}

/**
 * The spend of an ad set on the days of a change of its daily budget (the last may be `today`); null for other changes. The
 * compared 24 hours have parts of two days, so they may exceed a day's budget.
 */
export function budgetDaysText({ budget_days: days }: ComparedChange, today: string): string | null {
  if (days.length === 0) return null;
  const spent = days.map(
    ({ date, spends }) => `${formatMoney(spends)} on ${formatDay(date)}${date === today ? ' so far' : ''}`,
  );
  return `Daily budgets are for calendar days: it spent ${spent.join(' and ')}.`;
}

/** A change in one line: the action and its entity. */
export function changeLine(change: ComparedChange): string {
  return `${change.author} ${verbOf(change)} ${kindOf(change)} ${change.entity_name}`;
}
