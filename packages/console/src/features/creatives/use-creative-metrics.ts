import { useMemo } from 'react';
import type { DateRange } from '../../lib/format/date-presets.ts';
import { type Figures, unknownOf, useFigures } from '../../lib/figures.ts';
import { levelQuery } from '../../entities/reports/queries.ts';
import { type RowMetrics, byValue, metricsIn } from '../../entities/reports/row-metrics.ts';

const level = ['creative'] as const;

/** The metrics of each creative in a range of days, by the creative's uuid, and what is known of them. */
export function useCreativeMetrics(range: DateRange): {
  metricsOf: (uuid: string) => RowMetrics;
  figures: Figures;
} {
  const figures = useFigures(levelQuery(range, level));
  const report = figures.data?.rows ?? unknownOf(figures);
  const metrics = useMemo(() => byValue(report), [report]);
  return { metricsOf: (uuid) => metricsIn(metrics, uuid), figures };
}
