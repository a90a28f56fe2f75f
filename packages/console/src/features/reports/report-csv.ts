import type { DefaultReport } from '@bidwell/contract/reports/schema';
import type { Metrics, ReportLevel, ReportMetric } from '@bidwell/contract/reports/metrics';
import type { CsvTable } from '../../lib/format/csv-file.ts';
import { levelLabels, reportMetrics } from './report-columns.ts';
import { leavesOf } from './report-rows.ts';

/**
 * A report as a table: a column per level and per metric, a row per leaf of the tree, and the total last. Pure. Money
 * is in dollars with at most six decimal places, the precision of the stored micros.
 */
export function reportTable(
  report: DefaultReport,
  levels: readonly ReportLevel[],
  metrics: readonly ReportMetric[],
): CsvTable {
  const cells = (row: Metrics) =>
    metrics.map((metric) => {
      const value = row[metric] ?? null;
      return value === null ? '' : Number(value.toFixed(6));
    });
  return {
    fields: [
      ...levels.map((level) => levelLabels[level]),
      ...metrics.map((metric) => reportMetrics[metric].head),
    ],
    data: [
      ...leavesOf(report.rows).map(({ names, row }) => [...names, ...cells(row)]),
      ['Total', ...levels.slice(1).map(() => ''), ...cells(report.total)],
    ],
  };
}
