import { daysBetween, mondayOf } from '@bidwell/contract/lib/calendar';
import type { ComparisonRow } from '@bidwell/contract/skadnetwork/report';
import type { DateRange } from '../../../lib/format/date-presets.ts';

/** What rows of the comparison are grouped by. */
export type ComparisonGroup = 'day' | 'week';

/** The longest range, in days, whose comparison is by day unless another one is chosen. */
const DAILY_DAYS_MAX = 14;

/** The chosen group, else days for a short range and weeks for a longer one. Pure. */
export function comparisonGroup(
  { start, end }: DateRange,
  chosen: ComparisonGroup | undefined,
): ComparisonGroup {
  return chosen ?? (daysBetween(start, end) < DAILY_DAYS_MAX ? 'day' : 'week');
}

/** The rows by ad set and day, or week: `day` is the first day of it. In the order of the first row of each. Pure. */
export function groupComparison(
  rows: readonly ComparisonRow[],
  group: ComparisonGroup,
): readonly ComparisonRow[] {
  if (group === 'day') return rows;
  const grouped = new Map<string, ComparisonRow>();
  for (const row of rows) {
    const day = mondayOf(row.day);
    const id = comparisonId({ ...row, day });
    const known = grouped.get(id);
    grouped.set(id, known ? sumOf(known, row) : { ...row, day });
  }
  return [...grouped.values()];
}

/** Tells a row from the others. Pure. */
export const comparisonId = ({ day, adset }: ComparisonRow): string => `${day} ${adset?.uuid ?? ''}`;

/** The name of a row's ad set. Pure. */
export const comparedName = ({ adset }: ComparisonRow): string => adset?.name ?? 'Unknown source identifier';

function sumOf(known: ComparisonRow, { partner_installs: partner, postback_installs }: ComparisonRow) {
  return {
    ...known,
    partner_installs: partner === null ? known.partner_installs : partner + (known.partner_installs ?? 0),
    postback_installs: known.postback_installs + postback_installs,
  };
}
