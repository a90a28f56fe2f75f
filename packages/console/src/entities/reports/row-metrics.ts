import { chosenMetricsOf } from '@bidwell/contract/reports/chosen-metrics';
import { FURTHER_METRICS, type Metrics, metricsOf } from '@bidwell/contract/reports/metrics';
import { type Unknown, isUnknown } from '../../lib/loadable.ts';

/** The metrics of a row in the selected range, or why they are not known. */
export type RowMetrics = Metrics | Unknown;

const nothing = { clicks: 0, installs: 0, impressions: 0, spendMicros: 0 };

/** The metrics of a row without impressions and in-app events: counts are 0, and rates are not known. */
export const zeroMetrics: Metrics = { ...metricsOf(nothing), ...chosenMetricsOf(nothing, FURTHER_METRICS) };

/** The metrics of a row in a report: zero where the report does not list it, unknown without a report. Pure. */
export function metricsIn(report: ReadonlyMap<string, Metrics> | Unknown, value: string): RowMetrics {
  return isUnknown(report) ? report : (report.get(value) ?? zeroMetrics);
}

/** The rows of a report by the value of their level. Pure. */
export function byValue<Row extends { value: string }>(
  rows: readonly Row[] | Unknown,
): ReadonlyMap<string, Row> | Unknown {
  return isUnknown(rows) ? rows : new Map(rows.map((row) => [row.value, row]));
}
