import { escapeFormula } from '@bidwell/contract/csv';
import type { DefaultReport } from '@bidwell/contract/analytics';
import type { Metrics, ReportLevel, ReportMetric } from '@bidwell/contract/metrics';
import { levelLabels, reportMetrics } from './report-columns.ts';
import { leavesOf } from './report-rows.ts';

/** Header and rows of a CSV file. Numbers stay numbers; null becomes an empty cell. */
export interface CsvTable {
  fields: string[];
  data: (string | number)[][];
}

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

/** The text of a CSV file (RFC 4180). Cells that a spreadsheet would run as formulas are escaped. */
export async function csvText(table: CsvTable): Promise<string> {
  const { default: papa } = await import('papaparse');
  const data = table.data.map((row) =>
    row.map((cell) => (typeof cell === 'string' ? escapeFormula(cell) : cell)),
  );
  return papa.unparse({ fields: table.fields, data }, { newline: '\r\n' });
}

/** The byte order mark makes spreadsheets read the file as UTF-8. */
export const csvFile = (text: string) => new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' });

/** Downloads a file in the browser. */
export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
