import { Group, SimpleGrid, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { formatMoney } from '../../lib/format.ts';
import { revenueQuery } from '../../lib/queries/operator-money.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FigureCard } from '../../ui/figure-card.tsx';
import { Section } from '../../ui/section.tsx';
import { Segments } from '../../ui/segments.tsx';
import { TimeChart } from '../../ui/time-chart.tsx';

const periods = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
] as const;

/** Spend of all companies and the funds they added, by day of UTC. The URL holds the number of days. */
export function RevenueSection() {
  const { days = 30 } = useSearch({ strict: false }) as { days?: number };
  const navigate = useNavigate();
  const { data, error } = useQuery(revenueQuery(days));
  const chart = useMemo(
    () =>
      data && {
        buckets: data.map(({ date }) => date.slice(5)),
        series: [
          {
            label: 'Spend',
            values: data.map(({ spend }) => spend),
            format: formatMoney,
            axis: 'left' as const,
          },
        ],
      },
    [data],
  );
  const sumOf = (field: 'spend' | 'funds') => data?.reduce((sum, day) => sum + day[field], 0);
  return (
    <Section
      title="Revenue by day"
      actions={
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
      }
    >
      {error && !data ? (
        <EmptyState title="The revenue cannot be loaded" text={error.message} />
      ) : (
        <>
          <SimpleGrid cols={{ base: 2, md: 4 }} mb="md">
            <FigureCard label="Spend" dollars={sumOf('spend')} />
            <FigureCard label="Funds added" dollars={sumOf('funds')} />
          </SimpleGrid>
          {chart ? (
            <TimeChart label="Revenue by day" {...chart} height={220} />
          ) : (
            <Group>
              <Skeleton height={220} />
            </Group>
          )}
        </>
      )}
    </Section>
  );
}
