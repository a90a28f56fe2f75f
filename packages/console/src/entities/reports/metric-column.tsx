import type { ReportMetric } from '@bidwell/contract/reports/metrics';
import { isUnknown } from '../../lib/loadable.ts';
import { reportMetrics } from './metric-views.ts';
import type { RowMetrics } from './row-metrics.ts';
import type { Column } from '../../ui/table/table-state.ts';
import { UnknownFigure } from '../../ui/chart/unknown-figure.tsx';

interface MetricColumnOptions<Row> {
  /** Null for a row without metrics. */
  metricsOf: (row: Row) => RowMetrics | null;
  /** Metrics of all rows in total, for the totals row. */
  totalOf?: (rows: readonly Row[]) => RowMetrics;
  /** Whether a row can have the metric; true by default. */
  applies?: (row: Row) => boolean;
}

/** A sortable column of a metric in the selected range; where it is not known, its cells say so. */
export function metricColumn<Row>(
  id: ReportMetric,
  { metricsOf, totalOf, applies = () => true }: MetricColumnOptions<Row>,
): Column<Row> {
  const { label, format } = reportMetrics[id];
  const show = (metrics: RowMetrics) =>
    isUnknown(metrics) ? <UnknownFigure why={metrics} /> : format(metrics[id] ?? null);
  return {
    id,
    header: label,
    numeric: true,
    figure: true,
    cell: (row) => {
      const metrics = metricsOf(row);
      if (metrics === null) return '';
      return applies(row) ? show(metrics) : format(null);
    },
    sortBy: (row) => {
      const metrics = metricsOf(row);
      return metrics === null || isUnknown(metrics) || !applies(row) ? null : (metrics[id] ?? null);
    },
    ...(totalOf && { footer: (matching: readonly Row[]) => show(totalOf(matching)) }),
  };
}
