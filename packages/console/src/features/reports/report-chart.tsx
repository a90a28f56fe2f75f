import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import { ALL_METRICS, type ReportMetric } from '@bidwell/contract/reports/metrics';
import { Center, Group, NativeSelect, Paper } from '@mantine/core';
import { Suspense, useMemo } from 'react';
import type { TimeGroup } from '../../lib/format/dates.ts';
import { lazyPart } from '../../ui/layout/lazy-part.tsx';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { useTimeZone } from '../../lib/today.ts';
import { useDrawn } from '../../lib/use-drawn.ts';
import { reportMetrics } from '../../entities/reports/metric-views.ts';
import { groupFor, possibleGroups, trendQuery } from '../../entities/reports/trend.ts';
import { LEGEND_HEIGHT } from '../../ui/chart/chart-size.ts';
import { ChartSkeleton } from '../../ui/chart/chart-skeleton.tsx';
import { useChartBuckets } from '../../ui/chart/use-chart-buckets.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { Muted } from '../../ui/layout/text.tsx';
import { Segments } from '../../ui/layout/segments.tsx';

const TimeChart = lazyPart(() => import('../../ui/chart/time-chart.tsx'), 'TimeChart');
const HEIGHT = 240;
const NONE = 'none';
const groupLabels: Record<TimeGroup, string> = {
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
  year: 'Year',
};

interface ReportChartProps {
  range: { start: string; end: string };
  campaignUuid: string | undefined;
  campaignKind: CampaignKind | undefined;
  filters: Readonly<Record<string, string>>;
  /** One or two metrics, on the left and the right axis. */
  metrics: readonly ReportMetric[];
  onMetricsChange: (metrics: ReportMetric[]) => void;
  group: TimeGroup | undefined;
  onGroupChange: (group: TimeGroup) => void;
}

/** Chart of one or two metrics of the report over time. */
export function ReportChart(props: ReportChartProps) {
  const { range, campaignUuid, campaignKind, filters, metrics, onMetricsChange } = props;
  const timeZone = useTimeZone();
  const group = groupFor(range, props.group);
  const figures = useLoadable(
    trendQuery(range, group, campaignUuid, filters, metrics, timeZone, campaignKind),
  );
  const points = knownData(figures);
  const drawnGroup = useDrawn(group, figures.state === 'stale');
  const [left = 'spends', right] = metrics;
  const drawnRange = useDrawn(range, figures.state === 'stale');
  const buckets = useMemo(() => (points ? points.map(({ bucket }) => bucket) : []), [points]);
  const { labels, parts, valueAt } = useChartBuckets(buckets, drawnGroup ?? 'day', drawnRange, timeZone);
  const series = useMemo(
    () =>
      [left, ...(right ? [right] : [])].map((metric, index) => ({
        label: reportMetrics[metric].label,
        values: points ? points.map((point, at) => valueAt(point[metric] ?? null, at)) : [],
        format: reportMetrics[metric].format,
        axis: index === 0 ? ('left' as const) : ('right' as const),
      })),
    [points, valueAt, left, right],
  );
  const choices = ALL_METRICS.map((metric) => ({ value: metric, label: reportMetrics[metric].label }));
  const possible = possibleGroups(range);
  const loading = <ChartSkeleton height={HEIGHT} hasRightAxis={right !== undefined} />;
  return (
    <Paper withBorder p="md" mb="md">
      <Group justify="space-between" mb="sm" className="no-print">
        <Group gap="xs">
          <NativeSelect
            aria-label="Left axis"
            data={choices.filter(({ value }) => value !== right)}
            value={left}
            onChange={({ currentTarget: { value: metric } }) =>
              onMetricsChange([metric as ReportMetric, ...(right ? [right] : [])])
            }
            w={130}
            size="xs"
          />
          <NativeSelect
            aria-label="Right axis"
            data={[
              { value: NONE, label: 'No second metric' },
              ...choices.filter(({ value }) => value !== left),
            ]}
            value={right ?? NONE}
            onChange={({ currentTarget: { value: metric } }) =>
              onMetricsChange(metric === NONE ? [left] : [left, metric as ReportMetric])
            }
            w={150}
            size="xs"
          />
        </Group>
        <Segments
          small
          label="Group by"
          value={group ?? 'day'}
          onChange={props.onGroupChange}
          options={(Object.keys(groupLabels) as TimeGroup[]).map((value) => ({
            value,
            label: groupLabels[value],
            disabled: !possible.includes(value),
          }))}
        />
      </Group>
      {group === undefined ? (
        <Center h={HEIGHT + LEGEND_HEIGHT}>
          <Muted>Choose a shorter range to see the chart.</Muted>
        </Center>
      ) : (
        <FigureFrame figures={figures} skeleton={loading}>
          <Suspense fallback={loading}>
            <TimeChart
              label={`${series.map(({ label }) => label).join(' and ')} over time`}
              buckets={labels}
              parts={parts}
              series={series}
              height={HEIGHT}
            />
          </Suspense>
        </FigureFrame>
      )}
    </Paper>
  );
}
