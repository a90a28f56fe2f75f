import type { Balance, TransactionStatus } from '@bidwell/contract/finance/schema';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Box, Button, Group, Modal, Paper, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { partsInCents } from '../../entities/finance/cents.ts';
import { lazyPart } from '../../ui/layout/lazy-part.tsx';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react';
import { formatMoney } from '../../lib/format/format.ts';
import { knownData, mapped, unknownOf, useLoadable } from '../../lib/loadable.ts';
import {
  TRANSACTIONS_PER_PAGE,
  accountStatementQuery,
  balanceQuery,
  transactionsQuery,
} from '../../entities/finance/queries.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { FigureCard } from '../../ui/chart/figure-card.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { LongText } from '../../ui/layout/text.tsx';
import { IfMay } from '../../ui/roles/if-may.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Pages } from '../../ui/layout/pages.tsx';
import { Segments } from '../../ui/layout/segments.tsx';
import { TransactionsTable } from '../../entities/finance/transactions-table.tsx';
import { TopUpForm } from './top-up-form.tsx';

const StatementView = lazyPart(() => import('./statement-view.tsx'), 'StatementView');

const InvoicesView = lazyPart(() => import('./invoices-view.tsx'), 'InvoicesView');

const ReconciliationView = lazyPart(() => import('./reconciliation-view.tsx'), 'ReconciliationView');

const statuses = [
  { value: 'all', label: 'All' },
  { value: 'success', label: 'Success' },
  { value: 'pending', label: 'Pending' },
  { value: 'declined', label: 'Declined' },
] as const satisfies readonly { value: TransactionStatus | 'all'; label: string }[];

/** The balance and the transactions of the company. */
export function FinancesScreen() {
  const figures = useLoadable(balanceQuery);
  const balance = knownData(figures);
  return (
    <>
      <PageHeader
        title="Finances"
        description={<BalanceNote balance={balance} />}
        actions={
          <IfMay permission="money.write">
            <TopUpDialog />
          </IfMay>
        }
      />
      <FigureFrame figures={figures} what="The balance" keepsChildren>
        <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" mb="md">
          <FigureCard label="Balance" dollars={balance?.balance ?? unknownOf(figures)} />
          <FigureCard label="Spent today" dollars={balance?.spent_today ?? unknownOf(figures)} />
          {balance && balance.credit_limit > 0 && (
            // On a phone it would be a line of cards that comes once it is known; the note has it too.
            <Box visibleFrom="md">
              <FigureCard label="Credit limit" dollars={balance.credit_limit} />
            </Box>
          )}
        </SimpleGrid>
      </FigureFrame>
      <Movements />
    </>
  );
}

/** What the balance is for, or that it is used up. It takes its space before that is known, so that nothing below moves. */
/** How much campaigns may spend, or that they no longer bid. */
export function BalanceNote({ balance }: { balance: Balance | undefined }) {
  if (!balance) return 'Campaigns spend from the balance; at zero they stop bidding.';
  const { balance: dollars, credit_limit: credit } = balance;
  if (dollars + credit <= 0)
    return (
      <Group role="alert" gap={6} wrap="nowrap" c="var(--mantine-color-text)" fw={600}>
        <IconAlertTriangle
          size={16}
          color="var(--mantine-color-orange-6)"
          style={{ flexShrink: 0 }}
          aria-hidden
        />
        {credit > 0 ? 'The credit limit is reached' : 'The balance is empty'}: no campaign bids until it is
        topped up.
      </Group>
    );
  return credit > 0
    ? `Campaigns spend from the balance, and below zero down to the credit limit of ${formatMoney(credit)}.`
    : 'Campaigns spend from the balance; at zero they stop bidding.';
}

const views = [
  { value: 'all', label: 'Transactions' },
  { value: 'day', label: 'By day' },
  { value: 'campaign', label: 'By campaign' },
  { value: 'reconcile', label: 'Reconcile' },
  { value: 'invoices', label: 'Invoices' },
] as const;
type View = (typeof views)[number]['value'];

/** The transactions, the statement by day or by campaign, the reconciliation or the invoices; the URL holds which. */
function Movements() {
  const { view } = useSearch({ strict: false }) as { view?: Exclude<View, 'all'> };
  const navigate = useNavigate();
  return (
    <>
      <Group mb="sm">
        <Segments
          label="View"
          value={view ?? 'all'}
          onChange={(value) =>
            void navigate({ to: '/finances', search: value === 'all' ? {} : { view: value } })
          }
          options={views}
        />
      </Group>
      {view ? (
        <Suspense fallback={<Skeleton height={320} />}>
          {view === 'reconcile' && <ReconciliationView />}
          {view === 'invoices' && <InvoicesView />}
          {(view === 'day' || view === 'campaign') && <StatementView by={view} />}
        </Suspense>
      ) : (
        <Transactions />
      )}
    </>
  );
}

/** The transactions of a status, a page of them; the URL holds both. */
function Transactions() {
  const { page = 1, status } = useSearch({ strict: false }) as { page?: number; status?: TransactionStatus };
  const navigate = useNavigate();
  const figures = useLoadable(transactionsQuery(page, status));
  const list = knownData(figures);
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
      <FigureFrame figures={figures} what="The transactions" noticeMargin="sm">
        {list?.transactions.length === 0 && figures.state !== 'stale' ? (
          <NoTransactions total={list.total} filtered={status !== undefined} />
        ) : (
          <TransactionsTable
            transactions={list?.transactions}
            renderDay={(date) => <DayOfSpend date={date} />}
          />
        )}
      </FigureFrame>
      <Pages
        label="Pages of transactions"
        total={list?.total}
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
  return <EmptyState title={screenMessages.transactionsEmpty} text={screenMessages.transactionsText} />;
}

/** Button with the dialog that requests a top-up from the operator. */
function TopUpDialog() {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        Top up
      </Button>
      <Modal opened={opened} onClose={close} title="Top up the balance">
        <TopUpForm onSent={close} onCancel={close} />
      </Modal>
    </>
  );
}

/** The media spend of a day by campaign, the largest first. */
function DayOfSpend({ date }: { date: string }) {
  const figures = useLoadable(accountStatementQuery({ start: date, end: date }));
  const campaigns = mapped(figures, (statement) => {
    const parts = partsInCents(
      statement.campaigns.map(({ spend }) => spend),
      -statement.totals.spend,
    );
    return statement.campaigns.map(({ uuid, name }, index) => ({ uuid, name, spend: parts[index]! }));
  });
  return (
    <FigureFrame
      figures={campaigns}
      what="The campaigns of the day"
      noticeMargin="sm"
      skeleton={<Skeleton height={48} m="sm" />}
    >
      {(known) => (
        <Stack component="ul" gap={4} m={0} py="xs" pl={42} pr="xs" aria-label="Spend by campaign">
          {known.map(({ uuid, name, spend }) => (
            <Group key={uuid} component="li" justify="space-between" wrap="nowrap">
              <LongText>{name}</LongText>
              <Text size="sm">{formatMoney(spend)}</Text>
            </Group>
          ))}
        </Stack>
      )}
    </FigureFrame>
  );
}
