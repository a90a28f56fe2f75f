import type { Highlights } from '@bidwell/contract/analytics';
import type { HighlightMetric } from '@bidwell/contract/metrics';
import { HIGHLIGHT_METRICS } from '@bidwell/contract/metrics';
import { Group, Paper, NativeSelect, Skeleton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Suspense, lazy, useMemo } from 'react';
import type { TimeGroup } from '../../lib/dates.ts';
import { bucketLabel } from '../../lib/dates.ts';
import { metricViews } from './highlights.ts';
import { Segments } from '../../ui/segments.tsx';

const TimeChart = lazy(async () => ({ default: (await import('../../ui/time-chart.tsx')).TimeChart }));
const HEIGHT = 270;
/** Height of chart and legend, to avoid layout shift while loading. */
const SKELETON_HEIGHT = HEIGHT + 36;

interface OverviewChartProps {
  highlights: Highlights | undefined;
  /** The selected bucket size. */
  group: TimeGroup;
  /** The bucket size of `highlights`; the previous one while those of the selected size are fetched. */
  drawnGroup: TimeGroup;
  onGroupChange: (group: TimeGroup) => void;
}

/** Two metrics over time, each on its own axis. */
export function OverviewChart({ highlights, group, drawnGroup, onGroupChange }: OverviewChartProps) {
  const [[left, right], setMetrics] = useLocalStorage<[HighlightMetric, HighlightMetric]>({
    key: 'bidwell.chart-metrics',
    defaultValue: ['spend', 'installs'],
    getInitialValueInEffect: false,
  });
  const buckets = useMemo(
    () => highlights?.[left].series.map(({ bucket }) => bucketLabel(bucket, drawnGroup)) ?? [],
    [highlights, left, drawnGroup],
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
  const choices = (other: HighlightMetric) =>
    HIGHLIGHT_METRICS.filter((metric) => metric !== other).map((metric) => ({
      value: metric,
      label: metricViews[metric].label,
    }));
  return (
    <Paper withBorder p="md" mb="md">
      <Group justify="space-between" mb="sm">
        <Group gap="xs">
          <NativeSelect
            aria-label="Left axis"
            data={choices(right)}
            value={left}
            onChange={({ currentTarget: { value: metric } }) =>
              setMetrics([metric as HighlightMetric, right])
            }
            w={130}
            size="xs"
          />
          <NativeSelect
            aria-label="Right axis"
            data={choices(left)}
            value={right}
            onChange={({ currentTarget: { value: metric } }) => setMetrics([left, metric as HighlightMetric])}
            w={130}
            size="xs"
          />
        </Group>
        <Segments
          small
          label="Group by"
          value={group}
          onChange={onGroupChange}
          options={[
            { value: 'day', label: 'Day' },
            { value: 'week', label: 'Week' },
            { value: 'month', label: 'Month' },
            { value: 'year', label: 'Year' },
          ]}
        />
      </Group>
      {highlights ? (
        <Suspense fallback={<Skeleton height={SKELETON_HEIGHT} />}>
          <TimeChart
            label={`${metricViews[left].label} and ${metricViews[right].label} over time`}
            buckets={buckets}
            series={series}
            height={HEIGHT}
          />
        </Suspense>
      ) : (
        <Skeleton height={SKELETON_HEIGHT} />
      )}
    </Paper>
  );
}
