import type { Metrics } from '@bidwell/contract/metrics';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DateRange } from '../../lib/date-presets.ts';
import { levelQuery } from '../../lib/queries/analytics.ts';

const level = ['creative'] as const;

/** The figures of each creative in a range of days, by the creative's uuid; those that were never shown are absent. */
export function useCreativeMetrics(range: DateRange): ReadonlyMap<string, Metrics> {
  const { data: report } = useQuery(levelQuery(range, level));
  return useMemo(() => new Map(report?.rows.map((row) => [row.value, row])), [report]);
}
