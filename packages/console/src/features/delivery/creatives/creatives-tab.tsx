import type { ComparedMetric, CreativeComparison } from '@bidwell/contract/campaign-reports/creatives';
import type { InternalCreative } from '@bidwell/contract/creatives/schema';
import { Group, Stack, Text, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { DateRange } from '../../../lib/format/date-presets.ts';
import { knownData, notLoaded, useKnown, useLoadable } from '../../../lib/loadable.ts';
import { campaignCreativesQuery } from '../../../entities/campaign-reports/queries.ts';
import { creativesQuery } from '../../../entities/creatives/queries.ts';
import { type TableState, useTableSearch } from '../../../lib/table-search.ts';
import { Caption, Muted } from '../../../ui/layout/text.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { Segments } from '../../../ui/layout/segments.tsx';
import { SkeletonBar } from '../../../ui/chart/skeleton-bar.tsx';
import { creativeColumns } from './creative-columns.tsx';
import { formatName, verdictText } from './verdict-text.ts';

const metrics = [
  { value: 'ipm', label: 'Installs' },
  { value: 'ctr', label: 'Clicks' },
] as const;

/** The creatives of a campaign, compared with others of the same format. */
export function CreativesTab({ uuid, range }: { uuid: string; range: DateRange }) {
  const search = useSearch({ strict: false }) as { metric?: string };
  const navigate = useNavigate();
  const metric: ComparedMetric = search.metric === 'ctr' ? 'ctr' : 'ipm';
  const figures = useLoadable(campaignCreativesQuery(uuid, range, metric));
  const report = knownData(figures);
  return (
    <Stack>
      <Group justify="space-between" gap="sm">
        <Muted maw={640}>
          Creatives are compared with those that are shown in the same places, by their clicks or installs per
          impression.
        </Muted>
        <Segments
          label="Compare by"
          value={metric}
          onChange={(value) =>
            void navigate({
              to: '.',
              search: (before: object) => ({ ...before, metric: value === 'ipm' ? undefined : value }),
              replace: true,
            })
          }
          options={metrics}
        />
      </Group>
      <FigureFrame figures={figures} what="The comparison" skeleton={<Loading metric={metric} />}>
        {report?.comparisons.length === 0 && (
          <Section title="Creatives">
            <EmptyState
              title="No impressions in this range"
              text="Creatives are compared here once they have been shown."
            />
          </Section>
        )}
        <Stack>
          {report?.comparisons.map((comparison) => (
            <Comparison
              key={`${comparison.type} ${comparison.format}`}
              comparison={comparison}
              metric={metric}
            />
          ))}
        </Stack>
      </FigureFrame>
      {report && report.comparisons.length > 0 && (
        <Caption>
          In 95 of 100 cases the true rate is within the range beneath it. The probability of being the best
          takes into account how few impressions there are; a creative counts as the best from 95 % on. Days
          are estimated from the impressions of the last 24 hours.
        </Caption>
      )}
    </Stack>
  );
}

const noAssets: ReadonlyMap<string, InternalCreative> = new Map();

/** In place of a comparison while it loads. */
function Loading({ metric }: { metric: ComparedMetric }) {
  return (
    <Stack gap="xs">
      <SkeletonBar width={160} />
      <SkeletonBar width={420} />
      <DataTable
        label="Creatives"
        columns={creativeColumns(noAssets, metric)}
        rows={undefined}
        figures={notLoaded}
        rowId={({ uuid }) => uuid}
        rowHeight={50}
        state={{}}
        onStateChange={() => undefined}
        minWidth={820}
        empty={null}
      />
    </Stack>
  );
}

function Comparison({ comparison, metric }: { comparison: CreativeComparison; metric: ComparedMetric }) {
  const { creatives, verdict } = comparison;
  const [{ sort }, setSearch] = useTableSearch();
  const [pages, setPages] = useState<Pick<TableState, 'page' | 'size'>>({});
  const all = useKnown(creativesQuery);
  const columns = useMemo(
    () =>
      creativeColumns(new Map(all?.map((creative) => [creative.uuid, creative.internal_creative])), metric),
    [all, metric],
  );
  const name = formatName(comparison);
  const leader = verdict.outcome === 'none' ? null : creatives.find(({ uuid }) => uuid === verdict.uuid);
  return (
    <Stack component="section" aria-label={name} gap="xs">
      <Title order={2} size="h5">
        {name}
      </Title>
      <Text size="sm">
        {verdictText(verdict, { leader: leader?.name ?? '', count: creatives.length, metric })}
      </Text>
      <DataTable
        label={name}
        columns={columns}
        rows={creatives}
        rowId={({ uuid }) => uuid}
        state={{ ...pages, sort }}
        onStateChange={({ sort: order, page, size }) => {
          setSearch({ sort: order });
          setPages({ page, size });
        }}
        minWidth={820}
        empty={null}
      />
    </Stack>
  );
}
