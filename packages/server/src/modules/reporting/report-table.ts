import { chosenMetricsOf, selectedEvents, selectedMetrics } from '@bidwell/contract/reports/chosen-metrics';
import type { ReportLevel } from '@bidwell/contract/reports/metrics';
import type { ExportQuery } from '@bidwell/contract/reports/schema';
import type { Context } from '../../context.ts';
import type { QuerySettings } from '../../platform/clickhouse/client.ts';
import type { Owner } from '../../platform/actor.ts';
import type { CsvCell, TableColumn } from './table-file.ts';
import { countsQueryOf } from './level-report.ts';
import { nameValues } from './names.ts';
import { streamCounts } from './query/counts-store.ts';
import { rangeOf } from './buckets.ts';
import { EXPORT_ROWS_MAX, exportSettings, completeQuery } from './report-limits.ts';

/** A level report as a flat table, whose rows are read in batches. */
export interface ReportTable {
  columns: TableColumn[];
  /** Throws beyond ten million rows, and QueryTooLarge. */
  batches: AsyncGenerator<CsvCell[][]>;
}

/**
 * Opens a level report as a table: a row for each combination of values, highest spend first; for each level the value and its
 * display name, then the metrics and the figures of the named in-app events. Money is in dollars; figures that are not known are
 * null. `settings` replace limits of exports. Throws Invalid for a wrong query.
 */
export async function openReportTable(
  ctx: Context,
  owner: Owner,
  query: ExportQuery,
  settings: QuerySettings = {},
): Promise<ReportTable> {
  const range = await rangeOf(ctx, owner, query);
  const levels = Object.keys(query.levels) as ReportLevel[];
  const metrics = selectedMetrics(query.metrics);
  const eventNames = selectedEvents(query.event_names);
  const countsQuery = await completeQuery(
    ctx,
    owner.companyId,
    countsQueryOf(range, levels, query, ctx.now().getTime()),
  );
  const hasReturns = countsQuery.reEngagement !== undefined;
  const limits = { ...exportSettings(ctx.config), max_result_rows: EXPORT_ROWS_MAX, ...settings };
  async function* batches(): AsyncGenerator<CsvCell[][]> {
    for await (const rows of streamCounts(ctx.clickhouse, owner.companyId, countsQuery, limits)) {
      const valuesOf = (depth: number) => new Set(rows.map(({ values }) => values[depth]!));
      const distinct = levels.map((_, depth) => valuesOf(depth));
      const nameOf = await nameValues(ctx, owner.companyId, levels, distinct, range.timeZone);
      yield rows.map(({ values, ...counts }) => {
        const named = values.flatMap((value, depth) => [value, nameOf(levels[depth]!, value)]);
        const figures = chosenMetricsOf(counts, metrics, eventNames);
        const ofEvents = figures.named_events?.flatMap((event) => [
          event.count,
          event.people,
          event.cost_per_event,
          ...(hasReturns ? [event.re_engagement_count ?? 0] : []),
        ]);
        return [...named, ...metrics.map((metric) => figures[metric] ?? null), ...(ofEvents ?? [])];
      });
    }
  }
  return { columns: columnsOf(levels, [...metrics], eventNames, hasReturns), batches: batches() };
}

function columnsOf(
  levels: readonly string[],
  metrics: readonly string[],
  eventNames: readonly string[],
  hasReturns: boolean,
): TableColumn[] {
  const ofEvents = eventNames.flatMap((name) => [
    `${name}: count`,
    `${name}: people`,
    `${name}: cost_per_event`,
    ...(hasReturns ? [`${name}: re_engagement_count`] : []),
  ]);
  return [
    ...levels.flatMap((level) => [level, `${level}_name`]).map((name) => ({ name, type: 'STRING' }) as const),
    ...[...metrics, ...ofEvents].map((name) => ({ name, type: 'DOUBLE' }) as const),
  ];
}
