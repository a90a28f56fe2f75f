import type { CampaignChanges } from '@bidwell/contract/campaign-reports/changes';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';
import { formatMoney, formatNumber } from '../../../lib/format/format.ts';
import { useRangeSearch } from '../../../lib/range-search.ts';
import { useTimeZone } from '../../../lib/today.ts';
import { ChartSkeleton } from '../../../ui/chart/chart-skeleton.tsx';
import { useChartBuckets } from '../../../ui/chart/use-chart-buckets.ts';
import { Muted } from '../../../ui/layout/text.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { Segments } from '../../../ui/layout/segments.tsx';
import type { ChartLayout } from '../../../ui/chart/time-chart.tsx';
import { ChangeMarks } from './change-marks.tsx';
import classes from './changes-tab.module.css';

const TimeChart = lazyPart(() => import('../../../ui/chart/time-chart.tsx'), 'TimeChart');
const HEIGHT = 240;
const TITLE = 'Figures and changes';

type Point = CampaignChanges['points'][number];

const views = {
  spend: [
    { label: 'Spend', valueOf: ({ spends }: Point) => spends, format: formatMoney },
    {
      label: 'Installs',
      valueOf: ({ installs }: Point) => installs,
      format: (value: number | null) => formatNumber(value),
    },
  ],
  impressions: [
    {
      label: 'Impressions',
      valueOf: ({ impressions }: Point) => impressions,
      format: (value: number | null) => formatNumber(value),
    },
    {
      label: 'CPI',
      valueOf: ({ spends, installs }: Point) => (installs > 0 ? spends / installs : null),
      format: formatMoney,
    },
  ],
} as const;

interface ChangeChartProps {
  report: CampaignChanges;
  /** Shows a change in the list. */
  onShow: (changeUuid: string) => void;
}

/** The figures of a campaign over time, with a mark at each time of a change. */
export function ChangeChart({ report, onShow }: ChangeChartProps) {
  const search = useSearch({ strict: false }) as { metric?: string };
  const navigate = useNavigate();
  const view = search.metric === 'impressions' ? 'impressions' : 'spend';
  const [layout, setLayout] = useState<ChartLayout | null>(null);
  const { buckets, parts, series } = useChartData(report, view);
  return (
    <Section
      title={TITLE}
      actions={
        <Segments
          small
          label="Figures"
          value={view}
          onChange={(value) =>
            void navigate({
              to: '.',
              search: (before: object) => ({ ...before, metric: value === 'spend' ? undefined : value }),
              replace: true,
            })
          }
          options={[
            { value: 'spend', label: 'Spend and installs' },
            { value: 'impressions', label: 'Impressions and CPI' },
          ]}
        />
      }
    >
      {buckets.length === 0 ? (
        <Muted>This range has not begun yet.</Muted>
      ) : (
        <div className={classes['chart']}>
          {layout?.xs.length === buckets.length && (
            <ChangeMarks report={report} buckets={buckets} layout={layout} onShow={onShow} />
          )}
          <Suspense fallback={<ChartSkeleton height={HEIGHT} hasRightAxis />}>
            <TimeChart
              label={`${series.map(({ label }) => label).join(' and ')} over time`}
              buckets={buckets}
              parts={parts}
              series={series}
              bucketLabel={report.group === 'hour' ? 'Time' : 'Date'}
              height={HEIGHT}
              onDraw={setLayout}
            />
          </Suspense>
        </div>
      )}
    </Section>
  );
}

/** In place of the chart while its figures load. */
export function ChangeChartLoading() {
  return (
    <Section title={TITLE}>
      <div className={classes['chart']}>
        <ChartSkeleton height={HEIGHT} hasRightAxis />
      </div>
    </Section>
  );
}

/** The labels of the buckets, and the two metrics as series of the chart. */
function useChartData({ points, group }: CampaignChanges, view: keyof typeof views) {
  const { range } = useRangeSearch();
  const starts = useMemo(() => points.map(({ bucket }) => bucket), [points]);
  const { labels: buckets, parts } = useChartBuckets(starts, group, range, useTimeZone());
  const series = useMemo(
    () =>
      views[view].map(({ label, valueOf, format }, index) => ({
        label,
        values: points.map(valueOf),
        format,
        axis: index === 0 ? ('left' as const) : ('right' as const),
      })),
    [points, view],
  );
  return { buckets, parts, series };
}
