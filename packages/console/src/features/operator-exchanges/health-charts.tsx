import type { ExchangeHealth } from '@bidwell/contract/operator/exchange-health';
import { SimpleGrid } from '@mantine/core';
import { useMemo } from 'react';
import { formatMoney } from '../../lib/format/format.ts';
import { ChartSkeleton } from '../../ui/chart/chart-skeleton.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { TimeChart } from '../../ui/chart/time-chart.tsx';
import { latencyText, rateText, shareText } from './figure-text.ts';

const HEIGHT = 150;
type Step = ExchangeHealth['series'][number];

interface Line {
  label: string;
  valueOf: (step: Step) => number | null;
  format: (value: number | null) => string;
}

const charts: readonly { title: string; lines: readonly Line[] }[] = [
  {
    title: 'Requests per second',
    lines: [{ label: 'Requests/s', valueOf: ({ qps }) => qps, format: rateText }],
  },
  {
    title: 'Bid rate and win rate',
    lines: [
      {
        label: 'Bid rate',
        valueOf: ({ bid_rate_percent: rate }) => rate,
        format: shareText,
      },
      {
        label: 'Win rate',
        valueOf: ({ win_rate_percent: rate }) => rate,
        format: shareText,
      },
    ],
  },
  {
    title: 'Latency, ms',
    lines: [
      { label: 'p99', valueOf: ({ latency_p99_ms: ms }) => ms, format: latencyText },
      { label: 'p50', valueOf: ({ latency_p50_ms: ms }) => ms, format: latencyText },
    ],
  },
  {
    title: 'Spend',
    lines: [{ label: 'Spend', valueOf: ({ spend }) => spend, format: formatMoney }],
  },
];

/** Charts of the steps that are over; the last one may still grow. */
export function HealthCharts({ health }: { health: ExchangeHealth }) {
  const { series, step_minutes: step } = health;
  const drawn = useMemo(() => {
    const steps = series.filter(({ complete }) => complete);
    const buckets = steps.map(({ at }) => timeText(at));
    return charts.map(({ title, lines }) => ({
      title,
      buckets,
      series: lines.map(({ valueOf, ...line }) => ({
        ...line,
        values: steps.map(valueOf),
        axis: 'left' as const,
        isFine: true,
      })),
    }));
  }, [series]);
  const by = step === 1 ? 'by minute' : `by ${step} minutes`;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
      {drawn.map(({ title, ...chart }) => (
        <Section key={title} title={title}>
          <TimeChart label={`${title} ${by}`} bucketLabel="Time" height={HEIGHT} {...chart} />
        </Section>
      ))}
    </SimpleGrid>
  );
}

/** In place of the charts while their figures load. */
export function HealthChartsLoading() {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
      {charts.map(({ title }) => (
        <Section key={title} title={title}>
          <ChartSkeleton height={HEIGHT} />
        </Section>
      ))}
    </SimpleGrid>
  );
}

/** An instant as hours and minutes in the reader's time zone. */
function timeText(iso: string): string {
  const at = new Date(iso);
  return `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;
}
