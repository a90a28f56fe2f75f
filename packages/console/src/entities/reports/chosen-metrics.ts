import { FURTHER_METRICS, REPORT_METRICS, type ReportMetric } from '@bidwell/contract/reports/metrics';
import { useMemo } from 'react';
import { chosenVisibility, useStoredColumns } from '../../ui/table/column-choice.tsx';

const none: readonly ReportMetric[] = [];

/**
 * The metrics that the report of a table needs for the columns that it shows; none for the default ones. Columns of the others are
 * hidden by default unless they are `suggested`, and these metrics are counted only for a table that shows them. `table` is the
 * key of its columns.
 */
export function useChosenMetrics(
  table: string,
  suggested: readonly ReportMetric[] = none,
): readonly ReportMetric[] {
  const [stored] = useStoredColumns(table);
  return useMemo(() => {
    const chosen = FURTHER_METRICS.filter(
      (metric) => chosenVisibility(stored, { id: metric, hidden: true }) ?? suggested.includes(metric),
    );
    return chosen.length > 0 ? [...REPORT_METRICS, ...chosen] : [];
  }, [stored, suggested]);
}
