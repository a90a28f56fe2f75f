import type { DefaultReport } from '@bidwell/contract/reports/schema';
import type { Metrics, ReportLevel } from '@bidwell/contract/reports/metrics';
import type { CsvTable } from '../../lib/format/csv-file.ts';
import { type ReportColumn, levelLabels } from './report-columns.ts';
import { leavesOf } from './report-rows.ts';

/**
 * A report as a table: a column per level and per figure, a row per leaf of the tree, and the total last. Pure. Money
 * is in dollars with at most six decimal places, the precision of the stored micros.
 */
export function reportTable(
  report: DefaultReport,
  levels: readonly ReportLevel[],
  columns: readonly ReportColumn[],
): CsvTable {
  const cells = (row: Metrics) =>
    columns.map(({ valueOf }) => {
      const value = valueOf(row);
      return value === null ? '' : Number(value.toFixed(6));
    });
  return {
    fields: [...levels.map((level) => levelLabels[level]), ...columns.map(({ head }) => head)],
    data: [
      ...leavesOf(report.rows).map(({ names, row }) => [...names, ...cells(row)]),
      ['Total', ...levels.slice(1).map(() => ''), ...cells(report.total)],
    ],
  };
}
