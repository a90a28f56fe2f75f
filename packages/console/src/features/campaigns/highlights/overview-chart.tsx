import type { Highlights } from '@bidwell/contract/reports/schema';
import { HIGHLIGHT_METRICS, type HighlightMetric } from '@bidwell/contract/reports/metrics';
import { Group, Paper, NativeSelect } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Suspense, lazy, useMemo } from 'react';
import { type TimeGroup, bucketLabel } from '../../../lib/format/dates.ts';
import type { Figures } from '../../../lib/figures.ts';
import { useTimeZone } from '../../../lib/today.ts';
import { ChartSkeleton } from '../../../ui/chart/chart-skeleton.tsx';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import { metricViews } from './highlights.ts';
import { Segments } from '../../../ui/layout/segments.tsx';

const TimeChart = lazy(async () => ({
  default: (await import('../../../ui/chart/time-chart.tsx')).TimeChart,
}));
const HEIGHT = 270;
const loading = <ChartSkeleton height={HEIGHT} hasRightAxis />;

interface OverviewChartProps {
  figures: Figures<Highlights>;
  /** The selected bucket size. */
  group: TimeGroup;
  /** The bucket size of the figures; the previous one while those of the selected size are fetched. */
  drawnGroup: TimeGroup;
  /** Whether the range is short enough for a point for each hour. */
  mayBeHourly: boolean;
  onGroupChange: (group: TimeGroup) => void;
}

/** Two metrics over time, each on its own axis. */
export function OverviewChart({
  figures,
  group,
  drawnGroup,
  mayBeHourly,
  onGroupChange,
}: OverviewChartProps) {
  const [[left, right], setMetrics] = useLocalStorage<[HighlightMetric, HighlightMetric]>({
    key: 'bidwell.chart-metrics',
    defaultValue: ['spend', 'installs'],
    getInitialValueInEffect: false,
  });
  const { buckets, series } = useChartData(figures.data, [left, right], drawnGroup);
  return (
    <Paper withBorder p="md" mb="md">
      <Group justify="space-between" mb="sm">
        <Group gap="xs">
          <AxisSelect
            label="Left axis"
            value={left}
            other={right}
            onChange={(metric) => setMetrics([metric, right])}
          />
          <AxisSelect
            label="Right axis"
            value={right}
            other={left}
            onChange={(metric) => setMetrics([left, metric])}
          />
        </Group>
        <Segments
          small
          label="Group by"
          value={group}
          onChange={onGroupChange}
          options={[
            { value: 'hour', label: 'Hour', disabled: !mayBeHourly },
            { value: 'day', label: 'Day' },
            { value: 'week', label: 'Week' },
            { value: 'month', label: 'Month' },
            { value: 'year', label: 'Year' },
          ]}
        />
      </Group>
      <FigureFrame figures={figures} skeleton={loading}>
        <Suspense fallback={loading}>
          <TimeChart
            label={`${metricViews[left].label} and ${metricViews[right].label} over time`}
            buckets={buckets}
            series={series}
            height={HEIGHT}
          />
        </Suspense>
      </FigureFrame>
    </Paper>
  );
}

/** The labels of the buckets, and both metrics as series of the chart. */
function useChartData(
  highlights: Highlights | undefined,
  [left, right]: readonly [HighlightMetric, HighlightMetric],
  drawnGroup: TimeGroup,
) {
  const timeZone = useTimeZone();
  const buckets = useMemo(
    () => highlights?.[left].series.map(({ bucket }) => bucketLabel(bucket, drawnGroup, timeZone)) ?? [],
    [highlights, left, drawnGroup, timeZone],
  );
  const series = useMemo(
    () =>
      highlights
        ? ([left, right] as const).map((metric, index) => ({
            label: metricViews[metric].label,
            values: highlights[metric].series.map(({ value }) => value),
            format: metricViews[metric].format,
            axis: index === 0 ? ('left' as const) : ('right' as const),
          }))
        : [],
    [highlights, left, right],
  );
  return { buckets, series };
}

interface AxisSelectProps {
  label: string;
  value: HighlightMetric;
  /** The metric of the other axis, which is not offered. */
  other: HighlightMetric;
  onChange: (metric: HighlightMetric) => void;
}

/** Selects the metric of an axis. */
function AxisSelect({ label, value, other, onChange }: AxisSelectProps) {
  return (
    <NativeSelect
      aria-label={label}
      data={HIGHLIGHT_METRICS.filter((metric) => metric !== other).map((metric) => ({
        value: metric,
        label: metricViews[metric].label,
      }))}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as HighlightMetric)}
      w={130}
      size="xs"
    />
  );
}
