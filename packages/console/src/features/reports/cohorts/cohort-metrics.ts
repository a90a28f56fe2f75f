import type { CohortCell, CohortMetric, CohortRow, Estimate } from '@bidwell/contract/reports/cohorts';
import { formatMoney, formatNumber, formatPercent } from '../../../lib/format/format.ts';

interface CohortMetricView {
  label: string;
  format: (value: number | null) => string;
  /** Its explanation, under the table. */
  about: string;
}

const percent = (value: number | null) => formatPercent(value, 1);

/** Label, format and meaning of each metric. */
export const cohortMetrics: Record<CohortMetric, CohortMetricView> = {
  roas: {
    label: 'ROAS',
    format: percent,
    about:
      'Revenue up to the end of the day, in percent of the spend. Spend is counted on the day of the impression, so judge it by week or month.',
  },
  revenue: { label: 'Revenue', format: formatMoney, about: 'Revenue up to the end of the day.' },
  arpu: { label: 'ARPU', format: formatMoney, about: 'Revenue per install up to the end of the day.' },
  payers: {
    label: 'Payers',
    format: (value) => formatNumber(value),
    about: 'People with a purchase up to the end of the day.',
  },
  payer_rate: {
    label: 'Payer rate',
    format: formatPercent,
    about: 'People with a purchase up to the end of the day, in percent of the installs.',
  },
  retention: {
    label: 'Retention',
    format: percent,
    about: 'People with any event on the day itself, in percent of the installs.',
  },
};

/** The value of a metric in a cell, with its range where it has one; null if it is not known. Pure. */
export function figureOf(cell: CohortCell, metric: CohortMetric): Estimate | null {
  const figure = cell[metric] ?? null;
  return typeof figure === 'number' ? { value: figure, low: null, high: null } : figure;
}

/**
 * The value of a metric from which on a cell has the full colour, by day. An outlier does not take the colour from the others.
 * Counts only cells whose installs are all old enough, as only these are coloured. Pure.
 */
export function fullColourByDay(
  rows: readonly CohortRow[],
  metric: CohortMetric,
): ReadonlyMap<number, number> {
  const values = new Map<number, number[]>();
  for (const { cells } of rows)
    for (const cell of cells) {
      const value = figureOf(cell, metric)?.value ?? 0;
      if (cell.mature_share === 1 && value > 0)
        values.set(cell.day, [...(values.get(cell.day) ?? []), value]);
    }
  return new Map([...values].map(([day, ofDay]) => [day, fullColourOf(ofDay)]));
}

/** The 95th percentile of at least one value above 0, or twice the median if that is more, but no more than the highest. */
function fullColourOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const percentile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!;
  // With few values the percentile is not far from their middle.
  return Math.min(sorted.at(-1)!, Math.max(percentile(0.95), 2 * percentile(0.5)));
}

/** Whether a metric follows from the revenue, which is predicted. */
export const isOfRevenue = (metric: CohortMetric) =>
  metric === 'revenue' || metric === 'roas' || metric === 'arpu';

/** The factor of a row's revenue for a revenue metric; null if the metric is not known. Pure. */
export function perRevenue(
  { installs, spend }: Pick<CohortRow, 'installs' | 'spend'>,
  metric: CohortMetric,
): number | null {
  if (metric === 'revenue') return 1;
  if (metric === 'arpu') return installs > 0 ? 1 / installs : null;
  return metric === 'roas' && spend > 0 ? 100 / spend : null;
}

/** The tooltip of a cell: its range, and its share of the cohort. Pure. */
export function aboutCell(cell: CohortCell, metric: CohortMetric): string {
  const figure = figureOf(cell, metric);
  const { format } = cohortMetrics[metric];
  const share = cell.mature_share ?? 1;
  return [
    ...(figure && figure.low !== null && figure.high !== null
      ? [`${format(figure.low)} to ${format(figure.high)} in 95 of 100 cases`]
      : []),
    ...(share < 1 && cell.people > 0
      ? [
          `Of ${formatNumber(cell.people)} installs, ${formatPercent(share * 100, 0)} of the cohort: the others are younger`,
        ]
      : []),
    ...(share < 1 && cell.people === 0 ? ['No install is old enough yet'] : []),
  ].join('. ');
}
