import {
  COHORT_METRICS,
  type CohortCell,
  type CohortExportQuery,
  type CohortMetric,
  type CohortRow,
  type CohortReport,
} from '@bidwell/contract/reports/cohorts';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { eventLoopShare, runYielding } from '../../../platform/concurrency/yielding.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { csvLine, type TableColumn, parquetFile } from '../table-file.ts';
import { type Export, startExport } from '../export.ts';
import { cohortReport } from './cohort-report.ts';

/** Metrics that are a single figure; the others have a range. */
const PLAIN: ReadonlySet<CohortMetric> = new Set(['revenue', 'payers']);

/** The columns of a row and of a day, before the columns of the metrics. */
const HEAD: readonly TableColumn[] = [
  { name: 'cohort', type: 'STRING' },
  { name: 'value', type: 'STRING' },
  { name: 'name', type: 'STRING' },
  { name: 'installs', type: 'INT32' },
  { name: 'spend', type: 'DOUBLE' },
  { name: 'unknown_amounts', type: 'INT32' },
  { name: 'day', type: 'INT32' },
  { name: 'mature_share', type: 'DOUBLE' },
  { name: 'people', type: 'INT32' },
];

/**
 * The cohort report as CSV (RFC 4180, UTF-8) or Parquet: a line for each row and day, with the columns of the row, of the day, and
 * of each metric. Figures that are not known are empty. Throws as {@link cohortReport}.
 */
export async function exportCohorts(
  ctx: Context,
  actor: Actor,
  { format, ...query }: CohortExportQuery,
): Promise<Export<string | Uint8Array>> {
  requirePermission(actor, 'report.read');
  const { rows } = await cohortReport(ctx, actor, { ...query, forecast: false });
  const metrics = query.metrics?.length ? [...new Set(query.metrics)] : COHORT_METRICS;
  const columns = [...HEAD, ...metrics.flatMap(columnsOf)];
  async function* parts(): AsyncGenerator<string | Uint8Array> {
    if (format === 'parquet') {
      yield await parquetFile(columns, await runYielding(allLines(rows, metrics)));
      return;
    }
    const share = eventLoopShare();
    let text = csvLine(columns.map(({ name }) => name));
    for (const row of rows) {
      await share();
      for (const line of linesOf(row, metrics)) text += csvLine(line);
      // A write to the connection for each row would take longer than its text.
      if (text.length < PART_CHARACTERS) continue;
      yield text;
      text = '';
    }
    if (text !== '') yield text;
  }
  return startExport(parts());
}

/** Length of the parts of a file that are sent at once. */
const PART_CHARACTERS = 32 * 1024;

/** The lines of all rows. A generator; run it with `runYielding`. */
function* allLines(
  rows: readonly CohortRow[],
  metrics: readonly CohortMetric[],
): Generator<void, (string | number | null)[][]> {
  const lines: (string | number | null)[][] = [];
  for (const row of rows) {
    lines.push(...linesOf(row, metrics));
    yield;
  }
  return lines;
}

function columnsOf(metric: CohortMetric): TableColumn[] {
  if (PLAIN.has(metric)) return [{ name: metric, type: metric === 'payers' ? 'INT32' : 'DOUBLE' }];
  return [metric, `${metric}_low`, `${metric}_high`].map((name) => ({ name, type: 'DOUBLE' }));
}

/** The lines of a row, one for each day. */
function linesOf(row: CohortRow, metrics: readonly CohortMetric[]): (string | number | null)[][] {
  const { cohort, value, name, installs, spend, unknown_amounts: unknown, cells } = row;
  return cells.map((cell) => {
    const { day, mature_share: share, people } = cell;
    const figures = metrics.flatMap((metric) => figuresOf(cell, metric));
    return [cohort, value, name, installs, spend, unknown, day, share, people, ...figures];
  });
}

function figuresOf(cell: CohortCell, metric: CohortMetric): (number | null)[] {
  const figure = cell[metric] ?? null;
  if (PLAIN.has(metric)) return [figure as number | null];
  if (figure === null || typeof figure === 'number') return [figure, null, null];
  return [figure.value, figure.low, figure.high];
}

/** Rows that are written between two yields: each has a cell with several figures for each day. */
const ROWS_AT_ONCE = 20;

/** The response with a cohort report as JSON, up to some megabytes. A generator; run it with `runYielding`. */
export function* cohortJson({ rows, ...others }: CohortReport): Generator<void, string> {
  const parts: string[] = [];
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    // Without the brackets around these rows.
    parts.push(JSON.stringify(rows.slice(from, from + ROWS_AT_ONCE)).slice(1, -1));
    yield;
  }
  return `{"data":{"rows":[${parts.join(',')}],${JSON.stringify(others).slice(1)}}`;
}
