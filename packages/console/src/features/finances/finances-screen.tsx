import type { TransactionStatus } from '@bidwell/contract/finance';
import { consoleMessages } from '@bidwell/contract/messages';
import { screenMessages } from '@bidwell/contract/screen-messages';
import { Alert, Card, Group, Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { formatMoney } from '../../lib/format.ts';
import { TRANSACTIONS_PER_PAGE, balanceQuery, transactionsQuery } from '../../lib/queries/finance.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Pages } from '../../ui/pages.tsx';
import { Segments } from '../../ui/segments.tsx';
import { TopUpDialog } from './top-up-dialog.tsx';
import { TransactionsTable } from './transactions-table.tsx';

const statuses = [
  { value: 'all', label: 'All' },
  { value: 'success', label: 'Success' },
  { value: 'pending', label: 'Pending' },
  { value: 'declined', label: 'Declined' },
] as const satisfies readonly { value: TransactionStatus | 'all'; label: string }[];

/** The balance and the transactions of the company. */
export function FinancesScreen() {
  const { data: balance } = useQuery(balanceQuery);
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
      <Transactions />
    </>
  );
}

/** The transactions of a status, a page of them; the URL holds both. */
function Transactions() {
  const { page = 1, status } = useSearch({ strict: false }) as { page?: number; status?: TransactionStatus };
  const navigate = useNavigate();
  const { data: list, error } = useQuery(transactionsQuery(page, status));
  const show = (search: { page?: number; status?: TransactionStatus | undefined }) =>
    void navigate({ to: '/finances', search: { status, ...search } });
  return (
    <Paper withBorder>
      <Group p="sm">
        <Segments
          small
          label="Status"
          value={status ?? 'all'}
          onChange={(value) => show({ status: value === 'all' ? undefined : value })}
          options={statuses}
        />
      </Group>
      {error && !list ? (
        <EmptyState title={screenMessages.transactionsFailed} text={error.message} />
      ) : list?.transactions.length === 0 ? (
        <NoTransactions total={list.total} filtered={status !== undefined} />
      ) : (
        <TransactionsTable transactions={list?.transactions} />
      )}
      <Pages
        label="Pages of transactions"
        total={list?.total ?? 0}
        perPage={TRANSACTIONS_PER_PAGE}
        page={page}
        onChange={(next) => show(next === 1 ? {} : { page: next })}
      />
    </Paper>
  );
}

/** Says why a page is empty: no transactions at all, none of the status, or a page after the last. */
function NoTransactions({ total, filtered }: { total: number; filtered: boolean }) {
  if (total > 0) return <EmptyState title={consoleMessages.noSuchPage} />;
  if (filtered) return <EmptyState title={screenMessages.transactionsFiltered} />;
  return (
    <EmptyState
      title={screenMessages.transactionsEmpty}
      text={screenMessages.transactionsText}
      action={<TopUpDialog />}
    />
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
