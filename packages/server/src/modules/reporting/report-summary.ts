import { chosenMetricsOf, selectedMetrics } from '@bidwell/contract/reports/chosen-metrics';
import type { Metrics, ReportLevel, ReportMetric } from '@bidwell/contract/reports/metrics';
import { type ExportQuery, OTHER } from '@bidwell/contract/reports/schema';
import { MICROS } from '@bidwell/contract/lib/money';
import type { Context } from '../../context.ts';
import type { Owner } from '../../platform/actor.ts';
import { bucketsIn, isTimeLevel } from './buckets.ts';
import { isZero, remainderOf, sumOf, zeroCounts } from './figures.ts';
import { countsQueryOf } from './level-report.ts';
import { nameValues } from './names.ts';
import type { CountsRow } from './query/counts-store.ts';
import { rangeOf } from './range.ts';
import { countForReport, reportTooLarge } from './report-limits.ts';

/** What a person reads of a report at a glance. Money is in dollars. */
export interface ReportSummary {
  level: ReportLevel;
  metrics: readonly ReportMetric[];
  /** The rows of the first level with the highest spend; what is left of the total is the last one, Other. */
  rows: { name: string; figures: Partial<Metrics> }[];
  total: Partial<Metrics>;
  /** Spend of each hour of one day, or of each day of a longer period, in order. */
  spend: { unit: 'hour' | 'day'; values: number[] };
}

/** Sums a level report up: its first level, at most `rowsMax` rows, and its spend over time. Throws Invalid. */
export async function summarizeReport(
  ctx: Context,
  owner: Owner,
  query: ExportQuery,
  rowsMax: number,
): Promise<ReportSummary> {
  const { companyId } = owner;
  const range = await rangeOf(ctx, owner, query);
  const levels = Object.keys(query.levels) as ReportLevel[];
  const level = levels[0]!;
  const metrics = selectedMetrics(query.metrics);
  const counted = countsQueryOf(range, levels, query, ctx.now().getTime());
  const found = await countForReport(ctx, companyId, {
    ...counted,
    by: counted.by.slice(0, 1),
    limit: rowsMax + 1,
  });
  const [total = zeroCounts] = await countForReport(ctx, companyId, { ...counted, by: [] });
  const shown = found.slice(0, rowsMax);
  if (isTimeLevel(level)) shown.sort((a, b) => (a.values[0]! < b.values[0]! ? -1 : 1));
  const values = new Set(shown.map((row) => row.values[0]!));
  const nameOf = await nameValues(ctx, companyId, [level], [values], range.timeZone);
  const rows = shown.map((row) => ({
    name: nameOf(level, row.values[0]!),
    figures: chosenMetricsOf(row, metrics),
  }));
  if (found.length > rowsMax) {
    const rest = remainderOf(total, sumOf(shown), { ofTimes: isTimeLevel(level) });
    if (!isZero(rest)) rows.push({ name: OTHER, figures: chosenMetricsOf(rest, metrics) });
  }
  const unit = range.start === range.end ? 'hour' : 'day';
  const buckets = bucketsIn(range, unit);
  if (!buckets) throw reportTooLarge();
  const { period, filters } = counted;
  const overTime = await countForReport(ctx, companyId, { period, filters, by: [buckets] });
  const spend = spendByValue(overTime);
  return {
    level,
    metrics,
    rows,
    total: chosenMetricsOf(total, metrics),
    spend: { unit, values: buckets.map(({ value }) => spend.get(value) ?? 0) },
  };
}

function spendByValue(rows: readonly CountsRow[]): Map<string, number> {
  return new Map(rows.map(({ values, spendMicros }) => [values[0]!, spendMicros / MICROS]));
}
