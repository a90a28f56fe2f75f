import type { RevenueDay } from '@bidwell/contract/operator/schema';
import { Box, Group, SimpleGrid } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { csvFile, csvText, saveFile } from '../../lib/format/csv-file.ts';
import { knownData, unknownOf, useLoadable } from '../../lib/loadable.ts';
import { formatDay, formatMoney } from '../../lib/format/format.ts';
import { revenueQuery } from '../../entities/operator/money-queries.ts';
import { toastError } from '../../lib/toast.ts';
import { ChartSkeleton } from '../../ui/chart/chart-skeleton.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { FigureCard } from '../../ui/chart/figure-card.tsx';
import { useChartBuckets } from '../../ui/chart/use-chart-buckets.ts';
import { SmallButton } from '../../ui/layout/buttons.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { Segments } from '../../ui/layout/segments.tsx';
import { TimeChart } from '../../ui/chart/time-chart.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { revenueParts, revenueTable } from './revenue-values.ts';

const periods = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
] as const;

/**
 * Spend of all companies, the media cost and the margin in it, and the funds they added, by day of UTC. The URL holds the
 * number of days.
 */
export function RevenueSection() {
  const { days = 30 } = useSearch({ strict: false }) as { days?: number };
  const navigate = useNavigate();
  const figures = useLoadable(revenueQuery(days));
  const data = knownData(figures);
  const dates = useMemo(() => (data ? data.map(({ date }) => date) : []), [data]);
  const { labels, parts } = useChartBuckets(dates, 'day', daysOf(dates), 'UTC');
  const chart = useMemo(
    () =>
      data && {
        buckets: labels,
        parts,
        series: [
          {
            label: 'Spend',
            values: data.map(({ spend }) => spend),
            format: formatMoney,
            axis: 'left' as const,
          },
          {
            label: 'Margin',
            values: data.map(({ margin }) => margin),
            format: formatMoney,
            axis: 'right' as const,
          },
        ],
      },
    [data, labels, parts],
  );
  const sumOf = (part: (typeof revenueParts)[number][0]) =>
    data?.reduce((sum, day) => sum + day[part], 0) ?? unknownOf(figures);
  return (
    <Section
      title="Revenue by day"
      actions={
        <Group gap="xs">
          <Segments
            small
            label="Days"
            value={String(days) as '7' | '30' | '90'}
            onChange={(value) =>
              void navigate({
                to: '.',
                search: { days: value === '30' ? undefined : Number(value) } as never,
                replace: true,
                resetScroll: false,
              })
            }
            options={periods}
          />
          <SmallButton
            leftSection={<IconDownload size={14} />}
            disabled={!data || figures.state === 'stale'}
            onClick={() => void download(data!).catch(toastError)}
          >
            CSV
          </SmallButton>
        </Group>
      }
    >
      <FigureFrame figures={figures} keepsChildren>
        <SimpleGrid cols={{ base: 2, md: 4 }} mb="md">
          {revenueParts.map(([part, heading]) => (
            <FigureCard key={part} label={heading} dollars={sumOf(part)} />
          ))}
        </SimpleGrid>
        {chart && <TimeChart label="Spend and margin by day" {...chart} height={220} />}
        {figures.state === 'loading' && <ChartSkeleton height={220} />}
        {data && <RevenueDays days={data} />}
      </FigureFrame>
    </Section>
  );
}

/** The range that the days are of. */
const daysOf = (dates: readonly string[]) => ({ start: dates[0] ?? '', end: dates.at(-1) ?? '' });

async function download(days: readonly RevenueDay[]): Promise<void> {
  const file = csvFile(await csvText(revenueTable(days)));
  saveFile(`revenue-${days[0]?.date}-${days.at(-1)?.date}.csv`, file);
}

/** Height of the table before it scrolls: a dozen days. */
const HEIGHT_PX = 420;

const columns: readonly RecordColumn<RevenueDay>[] = [
  { header: 'Day (UTC)', wrap: 'never', cell: ({ date }) => formatDay(date) },
  ...revenueParts.map(([part, header]) => ({
    header,
    numeric: true,
    cell: (day: RevenueDay) => formatMoney(day[part]),
  })),
];

/** The days of a period with their spend, its parts and the added funds, the newest first. */
function RevenueDays({ days }: { days: readonly RevenueDay[] }) {
  return (
    <Box mt="md">
      <RecordTable
        label="Revenue by day"
        columns={columns}
        rows={days.toReversed()}
        minWidth={480}
        maxHeight={HEIGHT_PX}
      />
    </Box>
  );
}
