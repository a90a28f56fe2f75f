import type { Transaction, TransactionStatus } from '@bidwell/contract/finance';
import { Alert, Card, Group, Paper, SimpleGrid, Skeleton, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { formatMoment, formatMoney } from '../../lib/format.ts';
import { TRANSACTIONS_PER_PAGE, balanceQuery, transactionsQuery } from '../../lib/queries/finance.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Pages } from '../../ui/pages.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { amountText } from './amount-text.ts';
import { TopUpDialog } from './top-up-dialog.tsx';
import { Segments } from '../../ui/segments.tsx';

const kinds = { top_up: 'Top-up', credit: 'Credit', debit: 'Debit', spend: 'Media spend' } as const;

/** The balance and the transactions of the company. */
export function FinancesScreen() {
  const { page = 1, status } = useSearch({ strict: false }) as { page?: number; status?: TransactionStatus };
  const navigate = useNavigate();
  const { data: balance } = useQuery(balanceQuery);
  const { data: list, error } = useQuery(transactionsQuery(page, status));
  const show = (search: { page?: number; status?: TransactionStatus | undefined }) =>
    void navigate({ to: '/finances', search: { status, ...search } });
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
      {balance && balance.balance <= 0 && (
        <Alert color="orange" mb="md" title="The balance is empty">
          No campaign bids until it is topped up.
        </Alert>
      )}
      <Paper withBorder>
        <Group p="sm">
          <Segments
            small
            label="Status"
            value={status ?? 'all'}
            onChange={(value) => show({ status: value === 'all' ? undefined : value })}
            options={[
              { value: 'all', label: 'All' },
              { value: 'success', label: 'Success' },
              { value: 'pending', label: 'Pending' },
              { value: 'declined', label: 'Declined' },
            ]}
          />
        </Group>
        {error && !list ? (
          <EmptyState title="The transactions could not be read" text={error.message} />
        ) : list?.transactions.length === 0 ? (
          list.total === 0 && status === undefined ? (
            <EmptyState
              title="No transactions yet"
              text="Top-ups, credits and what campaigns spend each hour will stand here."
              action={<TopUpDialog />}
            />
          ) : (
            <EmptyState
              title={list.total === 0 ? 'No transactions with this status' : 'There is no such page'}
            />
          )
        ) : (
          <Table.ScrollContainer minWidth={350} type="native">
            <Table
              aria-label="Transactions"
              fz="sm"
              verticalSpacing={8}
              style={{ fontVariantNumeric: 'tabular-nums' }}
            >
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Date</Table.Th>
                  <Table.Th visibleFrom="sm">Kind</Table.Th>
                  <Table.Th visibleFrom="sm">Description</Table.Th>
                  <Table.Th>Status</Table.Th>
                  <Table.Th visibleFrom="sm" ta="right">
                    Credit
                  </Table.Th>
                  <Table.Th visibleFrom="sm" ta="right">
                    Debit
                  </Table.Th>
                  <Table.Th hiddenFrom="sm" ta="right">
                    Amount
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {list === undefined &&
                  Array.from({ length: 6 }, (_, index) => (
                    <Table.Tr key={index}>
                      <Table.Td colSpan={6}>
                        <Skeleton height={16} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                {list?.transactions.map((transaction) => (
                  <TransactionRow key={transaction.uuid} transaction={transaction} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
        <Pages
          label="Pages of transactions"
          total={list?.total ?? 0}
          perPage={TRANSACTIONS_PER_PAGE}
          page={page}
          onChange={(next) => show(next === 1 ? {} : { page: next })}
        />
      </Paper>
    </>
  );
}

/** Declined amounts do not change the balance and pending ones may not, so both are dimmed. */
function TransactionRow({
  transaction: { created_at, kind, description, status, amount },
}: {
  transaction: Transaction;
}) {
  const money =
    status === 'declined' ? (
      <Text span inherit c="dimmed" td="line-through">
        {amountText(amount)}
      </Text>
    ) : (
      <Text span inherit c={status === 'pending' ? 'dimmed' : undefined} fw={amount > 0 ? 600 : 400}>
        {amountText(amount)}
      </Text>
    );
  return (
    <Table.Tr data-status={status}>
      <Table.Td>
        <Text span inherit style={{ whiteSpace: 'nowrap' }}>
          {formatMoment(created_at)}
        </Text>
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {kinds[kind]}: {description}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm" style={{ whiteSpace: 'nowrap' }}>
        {kinds[kind]}
      </Table.Td>
      <Table.Td visibleFrom="sm">{description}</Table.Td>
      <Table.Td>
        <StatusBadge status={status} />
      </Table.Td>
      <Table.Td visibleFrom="sm" ta="right">
        {amount > 0 && money}
      </Table.Td>
      <Table.Td visibleFrom="sm" ta="right">
        {amount <= 0 && money}
      </Table.Td>
      <Table.Td hiddenFrom="sm" ta="right">
        {money}
      </Table.Td>
    </Table.Tr>
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
