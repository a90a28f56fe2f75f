import {
  type AdsetReach,
  type CampaignReach,
  REACH_DAYS_MAX,
  REACH_GROUPS,
  type Reach,
} from '@bidwell/contract/campaign-reports/reach';
import { daysBetween } from '@bidwell/contract/lib/calendar';
import { Box, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { DateRange } from '../../../lib/format/date-presets.ts';
import { formatMoney, formatNumber } from '../../../lib/format/format.ts';
import { knownData, useLoadable } from '../../../lib/loadable.ts';
import { useTableSearch } from '../../../lib/table-search.ts';
import { campaignReachQuery } from '../../../entities/campaign-reports/queries.ts';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { Caption, Muted } from '../../../ui/layout/text.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { numberColumn } from '../../../ui/table/number-column.ts';
import type { Column } from '../../../ui/table/table-state.ts';
import { shareText } from '../funnel/estimate-text.ts';
import { unknownText } from './reach-text.ts';
import classes from './reach-tab.module.css';

/** `1`, `4–5` or `11+`: how often people of a group saw an ad. */
const groupName = ({ from, to }: { from: number; to: number | null }): string =>
  to === null ? `${from}+` : from === to ? String(from) : `${from}–${to}`;

/** The most impressions of a group; null for any number. */
function endOf(index: number): number | null {
  const next = REACH_GROUPS[index + 1];
  return next === undefined ? null : next - 1;
}

/** Dollars per person, with more places where there are few of them. */
function perPersonText(dollars: number | null): string {
  return dollars !== null && Math.abs(dollars) < 0.1 ? `$${formatNumber(dollars, 4)}` : formatMoney(dollars);
}

const columns: readonly Column<AdsetReach>[] = [
  { id: 'name', header: 'Ad set', cell: ({ name }) => name, sortBy: ({ name }) => name, fixed: true },
  numberColumn('people', 'People', ({ people }) => people),
  numberColumn('impressions', 'Impressions', ({ impressions }) => impressions),
  numberColumn(
    'frequency',
    'Per person',
    ({ frequency }) => frequency,
    (value) => formatNumber(value, 2),
  ),
  ...REACH_GROUPS.map((from, index) =>
    numberColumn<AdsetReach>(
      `seen-${from}`,
      `Saw ${groupName({ from, to: endOf(index) })}`,
      ({ distribution }) => distribution.find((group) => group.from === from)?.people ?? null,
    ),
  ),
  numberColumn('revenue', 'Revenue', ({ revenue }) => revenue, formatMoney),
  numberColumn(
    'revenue-per-person',
    'Revenue per person',
    ({ revenue_per_person: perPerson }) => perPerson,
    perPersonText,
  ),
];

/** How many people saw the ads of a campaign, and how often. */
export function ReachTab({ uuid, range }: { uuid: string; range: DateRange }) {
  const isTooLong = daysBetween(range.start, range.end) >= REACH_DAYS_MAX;
  if (isTooLong)
    return (
      <EmptyState
        title={`Choose at most ${REACH_DAYS_MAX} days`}
        text="People are counted in ranges of up to 90 days."
      />
    );
  return <ReachReport uuid={uuid} range={range} />;
}

function ReachReport({ uuid, range }: { uuid: string; range: DateRange }) {
  const [state, setState] = useTableSearch();
  const figures = useLoadable(campaignReachQuery(uuid, range));
  const report = knownData(figures);
  const rows = useMemo(() => report?.adsets, [report]);
  return (
    <Stack>
      <FigureFrame
        figures={figures}
        what="The reach"
        skeleton={<Skeleton role="img" height={230} aria-label="Loading the reach" />}
      >
        {({ total, re_engagement: returns }) =>
          total.people > 0 && <Distribution total={total} returns={returns} />
        }
      </FigureFrame>
      <DataTable
        label="Reach"
        columns={columns}
        rows={rows}
        figures={figures}
        rowId={({ uuid: id }) => id}
        rowName={({ name }) => name}
        state={state}
        onStateChange={setState}
        minWidth={1100}
        empty={
          <EmptyState
            title="No one was counted in this range"
            text="People are counted for ad sets with a frequency cap, of their own or of the campaign, from the moment when the cap was set."
          />
        }
      />
      {report && report.unknown_impressions > 0 && (
        <Text size="sm">{unknownText(report.unknown_impressions, report.total.people > 0)}</Text>
      )}
      {report && report.total.people > 0 && (
        <Caption>
          People who saw ads of several ad sets count once in all.
          {report.one_in > 1 &&
            ` The figures are estimates from one in ${formatNumber(report.one_in)} people, exact to 2%.`}
        </Caption>
      )}
    </Stack>
  );
}

const knownText = (dollars: number | null, format: (dollars: number) => string): string =>
  dollars === null ? 'Not known' : format(dollars);

/** The sums of a campaign, and its people by how often they saw an ad. */
function Distribution({ total, returns }: { total: Reach; returns: CampaignReach['re_engagement'] }) {
  const { people, impressions, frequency, distribution } = total;
  const sums = [
    ['People reached', formatNumber(people)],
    ['Impressions to them', formatNumber(impressions)],
    ['Impressions per person', formatNumber(frequency, 2)],
    ...(returns ? [['Re-attributions', formatNumber(returns.reattributions)]] : []),
    ['Revenue', knownText(total.revenue, formatMoney)],
    ['Revenue per person reached', knownText(total.revenue_per_person, perPersonText)],
  ] as const;
  return (
    <Paper withBorder p="md">
      <Group gap="xl" mb="md" style={{ rowGap: 8 }}>
        {sums.map(([label, text]) => (
          <div key={label} role="group" aria-label={label}>
            <Muted>{label}</Muted>
            <Text fz={{ base: 20, sm: 24 }} fw={600} lh="30px">
              {text}
            </Text>
          </div>
        ))}
      </Group>
      <ul className={classes['groups']} aria-label="People by how often they saw an ad">
        {distribution.map((group) => (
          <li key={group.from} className={classes['group']}>
            <Text size="sm">
              {groupName(group)} {group.to === 1 ? 'time' : 'times'}
            </Text>
            <Box className={classes['track']} aria-hidden>
              {group.people > 0 && (
                <Box className={classes['bar']} style={{ width: `${(group.people / people) * 100}%` }} />
              )}
            </Box>
            <Text size="sm" className={classes['number']}>
              {formatNumber(group.people)} ({shareText(group.people, people)})
            </Text>
          </li>
        ))}
      </ul>
    </Paper>
  );
}
