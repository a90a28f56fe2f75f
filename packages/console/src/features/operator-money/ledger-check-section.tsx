import type { LedgerCheck } from '@bidwell/contract/operator';
import { Alert, Anchor, Button, Skeleton, Table, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatMoment, formatMoney, formatNumber } from '../../lib/format.ts';
import { checkLedger, ledgerCheckQuery } from '../../lib/queries/operator-money.ts';
import { toastError } from '../../lib/toast.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/section.tsx';

const SHOWN_MAX = 100;

const kinds: Record<LedgerCheck['disagreements'][number]['what'], string> = {
  entries: 'The entries of a transaction do not sum to zero',
  transaction: 'A transaction differs from its entries',
  balance: 'A balance differs from its transactions',
  spend: 'The spend of a campaign and hour differs from its events',
  margin: 'A margin differs from its entries or its events',
  report: 'The spend of a company differs from its reports',
  bound: 'A balance is beyond its bound',
  event: 'An event is stored or charged twice',
};

/** The last check of the ledger with its result and time, and a button that checks it now. */
export function LedgerCheckSection() {
  const { data: check, error } = useQuery(ledgerCheckQuery);
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      await checkLedger();
    } catch (failure) {
      toastError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section
      title="Ledger check"
      actions={
        <Button variant="default" size="compact-sm" loading={busy} onClick={() => void run()}>
          Check now
        </Button>
      }
    >
      <Text size="sm" c="dimmed" mb="sm">
        Entries sum to zero, balances equal their transactions, and spend equals the events and the reports.
      </Text>
      {error && check === undefined && (
        <EmptyState title="The last check cannot be loaded" text={error.message} />
      )}
      {check === undefined && !error && <Skeleton height={48} />}
      {check === null && <Text size="sm">The ledger was not checked yet.</Text>}
      {check && <Result check={check} />}
    </Section>
  );
}

function Result({ check }: { check: LedgerCheck }) {
  const { checked_at: checkedAt, transactions, entries, balances, disagreements } = check;
  const extent = `${formatNumber(transactions)} transactions, ${formatNumber(entries)} entries, balances of ${formatMoney(balances)} in all.`;
  const isConsistent = disagreements.length === 0;
  return (
    <div aria-live="polite">
      <Alert
        variant="default"
        icon={
          isConsistent ? (
            <IconCircleCheck color="var(--mantine-color-green-7)" />
          ) : (
            <IconAlertTriangle color="var(--mantine-color-red-7)" />
          )
        }
        title={
          isConsistent
            ? `Consistent, ${formatMoment(checkedAt)}`
            : `${formatNumber(disagreements.length)} discrepancies, ${formatMoment(checkedAt)}`
        }
      >
        {extent}
      </Alert>
      {!isConsistent && <Discrepancies found={disagreements} />}
    </div>
  );
}

function Discrepancies({ found }: { found: LedgerCheck['disagreements'] }) {
  return (
    <>
      <Table.ScrollContainer minWidth={720} type="native">
        <Table fz="sm" mt="sm" aria-label="Discrepancies">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>What</Table.Th>
              <Table.Th>Of</Table.Th>
              <Table.Th>Company</Table.Th>
              <Table.Th ta="right">Expected</Table.Th>
              <Table.Th ta="right">Found</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {found.slice(0, SHOWN_MAX).map((one, index) => (
              <Table.Tr key={index}>
                <Table.Td>{kinds[one.what]}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{one.of}</Table.Td>
                <Table.Td>
                  <Anchor
                    size="sm"
                    renderRoot={(props) => (
                      <Link
                        to={'/operator/companies/$uuid' as string}
                        params={{ uuid: one.company_uuid } as never}
                        {...props}
                      />
                    )}
                  >
                    {one.company_uuid}
                  </Anchor>
                </Table.Td>
                <Table.Td ta="right">{formatNumber(one.expected, 6)}</Table.Td>
                <Table.Td ta="right">{formatNumber(one.found, 6)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {found.length > SHOWN_MAX && (
        <Text size="sm" mt="xs">
          The first {SHOWN_MAX} are shown; check-ledger lists all.
        </Text>
      )}
    </>
  );
}
