import type { Transaction } from '@bidwell/contract/finance/schema';
import { Group, Table, Text } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { formatDay, formatMoment } from '../../lib/format/format.ts';
import { Caption } from '../../ui/layout/text.tsx';
import { ExpandButton } from '../../ui/table/expand-button.tsx';
import { SkeletonBar } from '../../ui/chart/skeleton-bar.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import { amountText } from '../../lib/format/amount-text.ts';
import { ScrollFrame } from '../../ui/table/scroll-frame.tsx';

/** Names of the kinds of transactions. */
export const transactionKinds = {
  top_up: 'Top-up',
  credit: 'Credit',
  debit: 'Debit',
  spend: 'Media spend',
} as const;

interface TransactionsTableProps {
  /** Undefined while they load. */
  transactions: readonly Transaction[] | undefined;
  /** The parts of the media spend of a day; with it such rows expand. */
  renderDay?: (date: string) => ReactNode;
}

/** Table of a page of transactions, in which the media spend of a day is one row. */
export function TransactionsTable({ transactions, renderDay }: TransactionsTableProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (date: string) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(date)) after.add(date);
      return after;
    });
  return (
    <ScrollFrame minWidth={350}>
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
          {transactions
            ? transactions.map((transaction) => {
                const date = renderDay && transaction.folded?.date;
                const isOpen = date !== undefined && open.has(date);
                return (
                  <Fragment key={transaction.uuid}>
                    <TransactionRow
                      transaction={transaction}
                      expand={
                        date !== undefined && (
                          <ExpandButton
                            name={`the spend of ${formatDay(date)}`}
                            open={isOpen}
                            onClick={() => toggle(date)}
                          />
                        )
                      }
                    />
                    {isOpen && (
                      <Table.Tr>
                        <Table.Td colSpan={6} p={0}>
                          {renderDay?.(date)}
                        </Table.Td>
                      </Table.Tr>
                    )}
                  </Fragment>
                );
              })
            : Array.from({ length: 6 }, (_, index) => <LoadingRow key={index} />)}
        </Table.Tbody>
      </Table>
    </ScrollFrame>
  );
}

/** In place of a transaction while it loads. */
function LoadingRow() {
  return (
    <Table.Tr data-skeleton="row">
      <Table.Td>
        <SkeletonBar width={96} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <SkeletonBar width={80} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <SkeletonBar width={180} />
      </Table.Td>
      <Table.Td>
        <SkeletonBar width={64} />
      </Table.Td>
      <Table.Td visibleFrom="sm" />
      <Table.Td visibleFrom="sm" ta="right">
        <SkeletonBar width={56} />
      </Table.Td>
      <Table.Td hiddenFrom="sm" ta="right">
        <SkeletonBar width={56} />
      </Table.Td>
    </Table.Tr>
  );
}

function TransactionRow({ transaction, expand }: { transaction: Transaction; expand: ReactNode }) {
  const { created_at: createdAt, folded, kind, description, status, amount } = transaction;
  const money = <Amount transaction={transaction} />;
  // The kind next to it says that it is media spend.
  const text = folded ? campaignsText(folded) : description;
  return (
    <Table.Tr data-status={status}>
      <Table.Td>
        <Text span inherit style={{ whiteSpace: 'nowrap' }}>
          <Group component="span" gap={4} display="inline-flex" wrap="nowrap">
            {expand}
            {folded ? formatDay(folded.date) : formatMoment(createdAt)}
          </Group>
        </Text>
        <Caption hiddenFrom="sm">
          {transactionKinds[kind]}: {text}
        </Caption>
      </Table.Td>
      <Table.Td visibleFrom="sm" style={{ whiteSpace: 'nowrap' }}>
        {transactionKinds[kind]}
      </Table.Td>
      <Table.Td visibleFrom="sm">{text}</Table.Td>
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

function campaignsText({ campaigns, is_month: isMonth }: NonNullable<Transaction['folded']>): string {
  return `${campaigns} campaign${campaigns === 1 ? '' : 's'}${isMonth ? ' in the month' : ''}`;
}

/** Declined amounts do not change the balance and pending ones may not, so both are dimmed. */
function Amount({ transaction: { status, amount } }: { transaction: Transaction }) {
  const style =
    status === 'declined'
      ? ({ c: 'dimmed', td: 'line-through' } as const)
      : { c: status === 'pending' ? 'dimmed' : undefined, fw: amount > 0 ? 600 : 400 };
  return (
    <Text span inherit {...style}>
      {amountText(amount)}
    </Text>
  );
}
