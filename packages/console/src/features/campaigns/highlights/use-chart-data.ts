import type { Highlights } from '@bidwell/contract/reports/schema';
import {
  ALL_METRICS,
  HIGHLIGHT_METRICS,
  type HighlightMetric,
  type ReportMetric,
} from '@bidwell/contract/reports/metrics';
import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';
import { reportMetrics } from '../../../entities/reports/metric-views.ts';
import { possibleGroups, trendQuery } from '../../../entities/reports/trend.ts';
import type { DateRange } from '../../../lib/format/date-presets.ts';
import type { TimeGroup } from '../../../lib/format/dates.ts';
import { type Loadable, combined, knownData, useLoadable } from '../../../lib/loadable.ts';
import { useTimeZone } from '../../../lib/today.ts';
import { useDrawn } from '../../../lib/use-drawn.ts';
import { useChartBuckets } from '../../../ui/chart/use-chart-buckets.ts';

export type AxisMetrics = readonly [left: ReportMetric, right: ReportMetric];

/** The metrics of both axes, stored in this browser. */
export function useAxisMetrics(): [AxisMetrics, (metrics: AxisMetrics) => void] {
  const [stored, setStored] = useLocalStorage<readonly string[]>({
    key: 'bidwell.chart-metrics',
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  return [axisMetrics(stored), setStored];
}

/** Two metrics. Names that an older version stored and that are not known become spend or installs. Pure. */
export function axisMetrics([first, second]: readonly string[]): AxisMetrics {
  const left = ALL_METRICS.find((metric) => metric === first) ?? 'spends';
  const right = ALL_METRICS.find((metric) => metric === second && metric !== left);
  return [left, right ?? (left === 'installs' ? 'spends' : 'installs')];
}

/** The highlight of a metric; undefined if it has none. */
const highlightOf = (metric: ReportMetric): HighlightMetric | undefined =>
  HIGHLIGHT_METRICS.find((name) => name === (metric === 'spends' ? 'spend' : metric));

interface ChartInput {
  range: DateRange;
  highlights: Loadable<Highlights>;
  /** The selected bucket size. */
  group: TimeGroup;
  metrics: AxisMetrics;
}

/** What the chart draws: the highlights where they have both metrics, otherwise a report by time. */
export function useChartData({ range, highlights, group, metrics: [left, right] }: ChartInput) {
  const timeZone = useTimeZone();
  const isOfHighlights = highlightOf(left) !== undefined && highlightOf(right) !== undefined;
  const isTooLong = !isOfHighlights && !possibleGroups(range).includes(group);
  const trend = useLoadable({
    ...trendQuery(range, group, undefined, {}, [left, right], timeZone),
    enabled: !isOfHighlights && !isTooLong,
  });
  const figures: Loadable = isOfHighlights ? highlights : combined(highlights, trend);
  // Figures of the previous size keep its labels while the selected size is fetched.
  const drawnGroup = useDrawn(group, figures.state === 'stale');
  const known = knownData(highlights);
  const knownTrend = knownData(trend);
  const points = useMemo(
    () =>
      isOfHighlights
        ? known && highlightPoints(known, [left, right])
        : knownTrend?.map((point) => ({
            bucket: point.bucket,
            values: [point[left] ?? null, point[right] ?? null],
          })),
    [isOfHighlights, known, knownTrend, left, right],
  );
  const buckets = useMemo(() => (points ? points.map(({ bucket }) => bucket) : []), [points]);
  const drawnRange = useDrawn(range, figures.state === 'stale');
  const { labels, parts, valueAt } = useChartBuckets(buckets, drawnGroup, drawnRange, timeZone);
  const series = useMemo(
    () =>
      points
        ? [left, right].map((metric, index) => ({
            label: reportMetrics[metric].label,
            values: points.map(({ values }, at) => valueAt(values[index] ?? null, at)),
            format: reportMetrics[metric].format,
            axis: index === 0 ? ('left' as const) : ('right' as const),
          }))
        : [],
    [points, valueAt, left, right],
  );
  return { figures, isTooLong, buckets: labels, parts, series };
}

function highlightPoints(highlights: Highlights, metrics: AxisMetrics) {
  const series = metrics.map((metric) => highlights[highlightOf(metric)!].series);
  return series[0]?.map(({ bucket }, at) => ({
    bucket,
    values: series.map((points) => points[at]?.value ?? null),
  }));
}
