import { Paper, Skeleton, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatMoment, formatMoney, formatNumber } from '../../lib/format.ts';
import { UNREADABLE_DAYS, unreadablePricesQuery } from '../../lib/queries/operator-exchanges.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { faultTexts } from './exchange-texts.ts';

/** Notices of one exchange that had no price to charge, by reason. */
export function UnreadablePrices({ slug }: { slug: string }) {
  const { data: all, error } = useQuery(unreadablePricesQuery);
  const rows = all?.filter(({ ssp }) => ssp === slug);
  return (
    <Paper withBorder>
      {error && !rows && <EmptyState title="The notices cannot be loaded" text={error.message} />}
      {!rows && !error && <Skeleton height={160} />}
      {rows?.length === 0 && (
        <EmptyState
          title={`All prices of the last ${UNREADABLE_DAYS} days could be read`}
          text="A notice whose price cannot be read is charged by the rule under Settings and listed here."
        />
      )}
      {rows && rows.length > 0 && (
        <Table.ScrollContainer minWidth={560} type="native">
          <Table verticalSpacing="xs" aria-label="Notices with unreadable prices">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Reason</Table.Th>
                <Table.Th ta="right">Notices, {UNREADABLE_DAYS} days</Table.Th>
                <Table.Th ta="right">Charged</Table.Th>
                <Table.Th ta="right">By bid price</Table.Th>
                <Table.Th>Last</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ reason, notices, charged, bid, last_at }) => (
                <Table.Tr key={reason}>
                  <Table.Td>{faultTexts[reason] ?? reason}</Table.Td>
                  <Table.Td ta="right">{formatNumber(notices)}</Table.Td>
                  <Table.Td ta="right">{formatMoney(charged)}</Table.Td>
                  <Table.Td ta="right">{formatMoney(bid)}</Table.Td>
                  <Table.Td>{formatMoment(last_at)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paper>
  );
}
