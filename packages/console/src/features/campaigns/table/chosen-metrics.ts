import { REPORT_METRICS, type ReportMetric } from '@bidwell/contract/reports/metrics';
import { useMemo } from 'react';
import { useChangedColumns } from '../../../ui/table/column-choice.tsx';
import type { Depth } from './open-rows.ts';

/** Metrics whose columns are hidden by default, and which are counted only for a table that shows them. */
export const OPTIONAL_METRICS = [
  'app_events',
  'cost_per_app_event',
  'payers',
  'revenue',
  'roas',
] as const satisfies readonly ReportMetric[];

/** The table's name, under which its columns are stored. */
export const tableNames: Readonly<Record<Depth, string>> = {
  campaign: 'campaigns',
  adset: 'ad sets',
  creative: 'creatives',
};

/** The metrics that the report of a table needs for the columns that it shows; none for the default ones. */
export function useChosenMetrics(list: Depth): readonly ReportMetric[] {
  const [changed] = useChangedColumns(tableNames[list]);
  return useMemo(() => {
    const chosen = OPTIONAL_METRICS.filter((metric) => changed.includes(metric));
    return chosen.length > 0 ? [...REPORT_METRICS, ...chosen] : [];
  }, [changed]);
}
