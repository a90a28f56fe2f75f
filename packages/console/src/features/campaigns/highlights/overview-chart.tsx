import type { Highlights } from '@bidwell/contract/reports/schema';
import { ALL_METRICS, type ReportMetric } from '@bidwell/contract/reports/metrics';
import { Center, Group, NativeSelect, Paper } from '@mantine/core';
import { Suspense } from 'react';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';
import { reportMetrics } from '../../../entities/reports/metric-views.ts';
import type { DateRange } from '../../../lib/format/date-presets.ts';
import type { TimeGroup } from '../../../lib/format/dates.ts';
import type { Loadable } from '../../../lib/loadable.ts';
import { LEGEND_HEIGHT } from '../../../ui/chart/chart-size.ts';
import { ChartSkeleton } from '../../../ui/chart/chart-skeleton.tsx';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import { Muted } from '../../../ui/layout/text.tsx';
import { Segments } from '../../../ui/layout/segments.tsx';
import { useAxisMetrics, useChartData } from './use-chart-data.ts';

const TimeChart = lazyPart(() => import('../../../ui/chart/time-chart.tsx'), 'TimeChart');
const HEIGHT = 270;
const loading = <ChartSkeleton height={HEIGHT} hasRightAxis />;

interface OverviewChartProps {
  range: DateRange;
  highlights: Loadable<Highlights>;
  /** The selected bucket size. */
  group: TimeGroup;
  /** Whether the range is short enough for a point for each hour. */
  mayBeHourly: boolean;
  onGroupChange: (group: TimeGroup) => void;
}

/** Two metrics over time, each on its own axis. */
export function OverviewChart({ range, highlights, group, mayBeHourly, onGroupChange }: OverviewChartProps) {
  const [[left, right], setMetrics] = useAxisMetrics();
  const chart = useChartData({ range, highlights, group, metrics: [left, right] });
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
      {chart.isTooLong ? (
        <Center h={HEIGHT + LEGEND_HEIGHT}>
          <Muted>Choose a shorter range or longer groups to see the chart.</Muted>
        </Center>
      ) : (
        <FigureFrame figures={chart.figures} skeleton={loading}>
          <Suspense fallback={loading}>
            <TimeChart
              label={`${reportMetrics[left].label} and ${reportMetrics[right].label} over time`}
              buckets={chart.buckets}
              parts={chart.parts}
              series={chart.series}
              height={HEIGHT}
            />
          </Suspense>
        </FigureFrame>
      )}
    </Paper>
  );
}

interface AxisSelectProps {
  label: string;
  value: ReportMetric;
  /** The metric of the other axis, which is not offered. */
  other: ReportMetric;
  onChange: (metric: ReportMetric) => void;
}

/** Selects the metric of an axis. */
function AxisSelect({ label, value, other, onChange }: AxisSelectProps) {
  return (
    <NativeSelect
      aria-label={label}
      data={ALL_METRICS.filter((metric) => metric !== other).map((metric) => ({
        value: metric,
        label: reportMetrics[metric].label,
      }))}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as ReportMetric)}
      w={130}
      size="xs"
    />
  );
}
