import { FURTHER_METRICS, REPORT_METRICS, type ReportMetric } from '@bidwell/contract/reports/metrics';
import { useMemo } from 'react';
import { useChangedColumns } from '../../ui/table/column-choice.tsx';

/**
 * The metrics that the report of a table needs for the columns that it shows; none for the default ones. Columns of the others are
 * hidden by default, and these metrics are counted only for a table that shows them. `table` is the key of its columns.
 */
export function useChosenMetrics(table: string): readonly ReportMetric[] {
  const [changed] = useChangedColumns(table);
  return useMemo(() => {
    const chosen = FURTHER_METRICS.filter((metric) => changed.includes(metric));
    return chosen.length > 0 ? [...REPORT_METRICS, ...chosen] : [];
  }, [changed]);
}
