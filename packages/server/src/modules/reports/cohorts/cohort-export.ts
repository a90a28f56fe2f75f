import {
  COHORT_METRICS,
  type CohortCell,
  type CohortExportQuery,
  type CohortMetric,
} from '@bidwell/contract/reports/cohorts';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { csvLine } from '../csv-line.ts';
import { type Export, startExport } from '../export.ts';
import { cohortReport } from './cohort-report.ts';

/** Metrics that are a single figure; the others have a range. */
const PLAIN: ReadonlySet<CohortMetric> = new Set(['revenue', 'payers']);

/**
 * The cohort report as CSV (RFC 4180, UTF-8): a line for each row and day, with the columns of the row, of the day, and of each
 * metric. Figures that are not known are empty. Throws as {@link cohortReport}.
 */
export async function exportCohorts(
  ctx: Context,
  actor: Actor,
  query: CohortExportQuery,
): Promise<Export<string>> {
  requirePermission(actor, 'report.read');
  const { rows } = await cohortReport(ctx, actor, { ...query, forecast: false });
  const metrics = query.metrics?.length ? [...new Set(query.metrics)] : COHORT_METRICS;
  const columns = metrics.flatMap((metric) =>
    PLAIN.has(metric) ? [metric] : [metric, `${metric}_low`, `${metric}_high`],
  );
  async function* lines(): AsyncGenerator<string> {
    const head = [
      'cohort',
      'value',
      'name',
      'installs',
      'spend',
      'unknown_amounts',
      'day',
      'mature_share',
      'people',
    ];
    yield csvLine([...head, ...columns]);
    for (const { cohort, value, name, installs, spend, unknown_amounts: unknown, cells } of rows)
      yield cells
        .map((cell) => {
          const { day, mature_share: share, people } = cell;
          const figures = metrics.flatMap((metric) => figuresOf(cell, metric));
          return csvLine([cohort, value, name, installs, spend, unknown, day, share, people, ...figures]);
        })
        .join('');
  }
  return startExport(lines());
}

function figuresOf(cell: CohortCell, metric: CohortMetric): (number | null)[] {
  const figure = cell[metric] ?? null;
  if (PLAIN.has(metric)) return [figure as number | null];
  if (figure === null || typeof figure === 'number') return [figure, null, null];
  return [figure.value, figure.low, figure.high];
}
