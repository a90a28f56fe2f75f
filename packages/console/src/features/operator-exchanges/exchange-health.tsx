import type { ExchangeHealth as Health } from '@bidwell/contract/operator/exchange-health';
import { lossReason } from '@bidwell/contract/bid-log/loss-reasons';
import type { Ssp } from '@bidwell/contract/operator/schema';
import { Alert, Box, Group, Paper, Progress, SimpleGrid, Stack, Table } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { formatCount } from '../../lib/format/count-text.ts';
import { formatNumber, formatPercent } from '../../lib/format/format.ts';
import { exchangeHealthQuery } from '../../entities/exchanges/queries.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { Caption, Muted } from '../../ui/layout/text.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { HealthCharts, HealthChartsLoading } from './health-charts.tsx';
import { HealthFigures } from './health-figures.tsx';
import { HealthPeriod, periodText } from './health-period.tsx';
import { shareText } from './figure-text.ts';
import { ShapingSection } from './shaping-section.tsx';
import { noBidText } from '@bidwell/contract/text/no-bid-reasons';
import { shedPercent } from './health-values.ts';

const DEFAULT_MINUTES = 60;

/** The traffic of an exchange, refreshed every ten seconds. The URL holds the period. */
export function ExchangeHealth({ exchange }: { exchange: Ssp }) {
  const { minutes = DEFAULT_MINUTES, until } = useSearch({ strict: false }) as {
    minutes?: number;
    until?: string;
  };
  const figures = useLoadable(exchangeHealthQuery(exchange.slug, minutes, until));
  const health = knownData(figures);
  return (
    <Stack gap="sm">
      {!exchange.active && (
        <Alert color="gray" title="The exchange is off">
          Its requests are refused with 404 and are not counted. Notices of earlier bids still are.
        </Alert>
      )}
      <HealthPeriod minutes={minutes} until={until} health={figures.state === 'stale' ? undefined : health} />
      <FigureFrame figures={figures} skeleton={<HealthChartsLoading />}>
        {health && (
          <Traffic
            exchange={exchange}
            health={health}
            isLive={until === undefined}
            period={periodText(minutes, until)}
          />
        )}
      </FigureFrame>
    </Stack>
  );
}

function Traffic(props: { exchange: Ssp; health: Health; isLive: boolean; period: string }) {
  const { exchange, health, isLive, period } = props;
  const { total, no_bids: noBids, losses } = health;
  if (total.requests + total.wins + total.charged + total.loss_notices === 0)
    return (
      <Paper withBorder>
        <EmptyState
          title={`${period}: no requests arrived`}
          text="Figures appear within ten seconds after the exchange sends bid requests to its address, which is under Settings."
        />
      </Paper>
    );
  const withoutNotice = total.bids - total.wins - total.loss_notices;
  return (
    <Stack gap="sm">
      {isLive && <ShedAlert health={health} />}
      <HealthFigures {...props} />
      <HealthCharts health={health} />
      {health.shaping && <ShapingSection exchange={exchange} shaping={health.shaping} />}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm" style={{ alignItems: 'start' }}>
        <Section title="No bids by reason" flush>
          <ShareTable
            label="No bids by reason"
            heads={{ name: 'Reason', count: 'Requests' }}
            rows={noBids.map(({ reason, requests }) => ({
              key: reason,
              name: noBidText(reason),
              count: requests,
            }))}
            empty="All requests got a bid."
          />
        </Section>
        <Section title="Losses by notice" flush>
          <ShareTable
            label="Losses by notice"
            heads={{ name: 'Loss reason', count: 'Notices' }}
            rows={losses.map(({ code, notices }) => ({
              key: String(code),
              name: code === 0 ? 'No code, or a rare one' : `${lossReason(code, exchange.profile)} (${code})`,
              count: notices,
            }))}
            empty="No loss notices arrived."
          />
          <Caption p="md" pt={losses.length > 0 ? 'xs' : 0}>
            {formatCount(total.bids, 'bid')}, {formatCount(total.wins, 'win notice')},{' '}
            {formatCount(total.loss_notices, 'loss notice')}
            {withoutNotice > 0 && `; ${formatCount(withoutNotice, 'more bid')} than notices`}.
          </Caption>
        </Section>
      </SimpleGrid>
      <Group gap="lg">
        <Caption>
          {formatCount(total.requests, 'request')}: {formatNumber(total.answered)} with a bid,{' '}
          {formatNumber(total.unreadable)} unreadable, {formatNumber(total.failed)} failed.{' '}
          {formatCount(total.billing_notices, 'billing notice')},{' '}
          {formatCount(total.impressions, 'impression')} reported by ads.
          {total.country_mismatch_percent !== null &&
            ` ${formatPercent(total.country_mismatch_percent)} of ${formatNumber(total.country_checked)} checked requests name another country than their address is in.`}
        </Caption>
      </Group>
    </Stack>
  );
}

/** Says what to do where the bidders cannot respond to all requests in time. */
function ShedAlert({ health }: { health: Health }) {
  const percent = shedPercent(health);
  if (percent === null) return null;
  return (
    <Alert color="red" title={`${shareText(percent)} of the requests of the last minute were shed`}>
      The bidders could not answer them in time, so they were not read. Add a bidder, or ask the exchange to
      send fewer requests.
    </Alert>
  );
}

interface ShareTableProps {
  label: string;
  /** Heads of the columns with the names and with the counts. */
  heads: { name: string; count: string };
  rows: readonly { key: string; name: string; count: number }[];
  /** Shown in place of an empty table. */
  empty: string;
}

/** Counts with their share of all, as a bar too. */
function ShareTable({ label, heads, rows, empty }: ShareTableProps) {
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  if (rows.length === 0)
    return (
      <Muted p="md" pt={0}>
        {empty}
      </Muted>
    );
  return (
    <Table verticalSpacing={6} horizontalSpacing="md" aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{heads.name}</Table.Th>
          <Table.Th ta="right">{heads.count}</Table.Th>
          <Table.Th ta="right" w="30%">
            Share
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ key, name, count }) => (
          <Table.Tr key={key}>
            <Table.Td>{name}</Table.Td>
            <Table.Td ta="right">{formatNumber(count)}</Table.Td>
            <Table.Td ta="right">
              {formatPercent((count / total) * 100)}
              <Box aria-hidden mt={2}>
                <Progress value={(count / total) * 100} size={4} />
              </Box>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
