import type { ExchangeSummaries } from '@bidwell/contract/exchange-health';
import type { Ssp } from '@bidwell/contract/operator';
import { Button, Modal, Paper, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { formatMoney, formatNumber } from '../../lib/format.ts';
import {
  UNREADABLE_DAYS,
  exchangeTrafficQuery,
  exchangesQuery,
  unreadablePricesQuery,
} from '../../lib/queries/operator-exchanges.ts';
import { mayCall, operatorSessionQuery } from '../../lib/queries/operator-session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { AddExchangeForm } from './add-exchange-form.tsx';
import { ExchangeSwitch } from './exchange-switch.tsx';
import { latencyText, rateText, shareText } from './figure-texts.ts';

/** /operator/exchanges: the exchanges that send bid requests. */
export function ExchangesScreen() {
  const { data: list, error } = useQuery(exchangesQuery);
  const { data: operator } = useQuery(operatorSessionQuery);
  const [opened, { open, close }] = useDisclosure(false);
  const mayChange = mayCall(operator?.role, []);
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      Add exchange
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Exchanges"
        description="Exchanges send bid requests, and are paid for the impressions that we win. Figures are of the last hour, requests per second of the last minute."
        actions={mayChange && add}
      />
      <Paper withBorder>
        {error && !list && <EmptyState title="The exchanges cannot be loaded" text={error.message} />}
        {!list && !error && <Skeleton height={200} />}
        {list?.ssps.length === 0 && (
          <EmptyState
            title="No exchange yet"
            text="Each exchange gets an address of its own, to which it sends its bid requests. Nothing is bought before one is added."
            action={mayChange && add}
          />
        )}
        {list && list.ssps.length > 0 && <ExchangeTable exchanges={list.ssps} mayChange={mayChange} />}
      </Paper>
      <Modal opened={opened} onClose={close} title="Add exchange" centered size="lg">
        {opened && <AddExchangeForm known={list?.ssps ?? []} onDone={close} />}
      </Modal>
    </>
  );
}

function ExchangeTable({ exchanges, mayChange }: { exchanges: readonly Ssp[]; mayChange: boolean }) {
  const { data: unreadable } = useQuery(unreadablePricesQuery);
  const { data: traffic } = useQuery(exchangeTrafficQuery);
  const noticesOf = (slug: string) =>
    (unreadable ?? []).reduce((sum, { ssp, notices }) => (ssp === slug ? sum + notices : sum), 0);
  return (
    <Table.ScrollContainer minWidth={980} type="native">
      <Table verticalSpacing="xs" aria-label="Exchanges">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Exchange</Table.Th>
            <Table.Th>Receives bids</Table.Th>
            <Table.Th ta="right">Requests/s, limit</Table.Th>
            <Table.Th ta="right">Bid rate</Table.Th>
            <Table.Th ta="right">Win rate</Table.Th>
            <Table.Th ta="right">Timeouts</Table.Th>
            <Table.Th ta="right">p99, ms</Table.Th>
            <Table.Th ta="right">Spend</Table.Th>
            <Table.Th ta="right">Unreadable prices, {UNREADABLE_DAYS} days</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {exchanges.map((exchange) => (
            <Table.Tr key={exchange.slug}>
              <Table.Td>
                <Stack gap={0}>
                  <AnchorLink to={`/operator/exchanges/${exchange.slug}` as string} size="sm" fw={500}>
                    {exchange.name}
                  </AnchorLink>
                  <Text size="xs" c="dimmed">
                    {exchange.slug}
                  </Text>
                </Stack>
              </Table.Td>
              <Table.Td>
                <ExchangeSwitch exchange={exchange} mayChange={mayChange} />
              </Table.Td>
              <TrafficCells
                exchange={exchange}
                traffic={traffic?.find(({ slug }) => slug === exchange.slug)}
              />
              <Table.Td ta="right">{unreadable ? formatNumber(noticesOf(exchange.slug)) : '…'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface TrafficCellsProps {
  exchange: Ssp;
  traffic: ExchangeSummaries['exchanges'][number] | undefined;
}

/** Requests of the last minute beside their limit, and the figures of the last hour. */
function TrafficCells({ exchange, traffic }: TrafficCellsProps) {
  const { requests_per_second: limit } = exchange;
  const total = traffic?.total;
  const figures = total && [
    shareText(total.bid_rate_percent),
    shareText(total.win_rate_percent),
    formatNumber(total.late),
    latencyText(total.latency_p99_ms),
    formatMoney(total.spend),
  ];
  return (
    <>
      <Table.Td ta="right">
        {traffic ? rateText(traffic.last_minute.qps) : '…'}
        <Text size="xs" c="dimmed">
          {limit === null ? 'no limit' : `of ${formatNumber(limit)}`}
        </Text>
      </Table.Td>
      {(figures ?? Array.from({ length: 5 }, () => '…')).map((text, index) => (
        <Table.Td key={index} ta="right">
          {text}
        </Table.Td>
      ))}
    </>
  );
}
