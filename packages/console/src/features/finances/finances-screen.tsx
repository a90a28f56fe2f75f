import type { TransactionStatus } from '@bidwell/contract/finance';
import {
  Card,
  Group,
  Pagination,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Table,
  Text,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { formatMoment, formatMoney } from '../../lib/format.ts';
import { TRANSACTIONS_PER_PAGE, balanceQuery, transactionsQuery } from '../../lib/queries/finance.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TopUpDialog } from './top-up-dialog.tsx';

const kinds = { top_up: 'Top-up', credit: 'Credit', debit: 'Debit', spend: 'Media spend' } as const;

/** The balance, and every transaction that made it. */
export function FinancesScreen() {
  const { page = 1, status } = useSearch({ strict: false }) as { page?: number; status?: TransactionStatus };
  const navigate = useNavigate();
  const { data: balance } = useQuery(balanceQuery);
  const { data: list } = useQuery(transactionsQuery(page, status));
  const show = (search: object) => void navigate({ to: '/finances', search: { page, status, ...search } });
  const pages = Math.ceil((list?.total ?? 0) / TRANSACTIONS_PER_PAGE);
  return (
    <>
      <PageHeader
        title="Finances"
        description="Campaigns spend from the balance; at zero they stop bidding."
        actions={<TopUpDialog />}
      />
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" mb="md">
        <Figure label="Balance" dollars={balance?.balance} />
        <Figure label="Spent today" dollars={balance?.spent_today} />
      </SimpleGrid>
      <Paper withBorder>
        <Group p="sm">
          <SegmentedControl
            aria-label="Status"
            size="xs"
            value={status ?? 'all'}
            onChange={(value) => show({ status: value === 'all' ? undefined : value, page: undefined })}
            data={[
              { value: 'all', label: 'All' },
              { value: 'success', label: 'Success' },
              { value: 'pending', label: 'Pending' },
              { value: 'declined', label: 'Declined' },
            ]}
          />
        </Group>
        {list?.transactions.length === 0 ? (
          <EmptyState
            title="No transactions yet"
            text="Top-ups, credits and what campaigns spend each hour will stand here."
          />
        ) : (
          <Table.ScrollContainer minWidth={620} type="native">
            <Table aria-label="Transactions" fz="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Date</Table.Th>
                  <Table.Th>Kind</Table.Th>
                  <Table.Th>Description</Table.Th>
                  <Table.Th>Status</Table.Th>
                  <Table.Th ta="right">Credit, $</Table.Th>
                  <Table.Th ta="right">Debit, $</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {list?.transactions.map((transaction) => (
                  <Table.Tr key={transaction.uuid}>
                    <Table.Td>{formatMoment(transaction.created_at)}</Table.Td>
                    <Table.Td>{kinds[transaction.kind]}</Table.Td>
                    <Table.Td>{transaction.description}</Table.Td>
                    <Table.Td>
                      <StatusBadge status={transaction.status} />
                    </Table.Td>
                    <Table.Td ta="right">
                      {transaction.amount > 0 ? formatMoney(transaction.amount) : ''}
                    </Table.Td>
                    <Table.Td ta="right">
                      {transaction.amount > 0 ? '' : formatMoney(transaction.amount)}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
        {pages > 1 && (
          <Group p="sm" justify="flex-end">
            <Pagination size="sm" total={pages} value={page} onChange={(next) => show({ page: next })} />
          </Group>
        )}
      </Paper>
    </>
  );
}

function Figure({ label, dollars }: { label: string; dollars: number | undefined }) {
  return (
    <Card withBorder p="md" role="group" aria-label={label}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      {dollars === undefined ? (
        <Skeleton height={30} width={120} />
      ) : (
        <Text fz={24} fw={600} lh={1.3}>
          {formatMoney(dollars)}
        </Text>
      )}
    </Card>
  );
}
