import type { LedgerCheck } from '@bidwell/contract/operator/schema';
import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { formatMoment, formatMoney, formatNumber } from '../../lib/format/format.ts';
import { checkLedger, ledgerCheckQuery } from '../../entities/operator/money-queries.ts';
import { CompanyLink } from '../../entities/companies/company-link.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { SmallButton } from '../../ui/layout/buttons.tsx';
import { Muted } from '../../ui/layout/text.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { SkeletonBar } from '../../ui/chart/skeleton-bar.tsx';
import { useSave } from '../../ui/form/use-save.ts';

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
  const figures = useLoadable(ledgerCheckQuery);
  const check = knownData(figures);
  const { save, busy } = useSave({ send: checkLedger });
  return (
    <Section
      title="Ledger check"
      actions={
        <SmallButton loading={busy} onClick={() => save()}>
          Check now
        </SmallButton>
      }
    >
      <Muted mb="sm">
        Entries sum to zero, balances equal their transactions, and spend equals the events and the reports.
      </Muted>
      <FigureFrame figures={figures} what="The last check" skeleton={<ResultLoading />}>
        {check === null && <Text size="sm">The ledger has not been checked yet.</Text>}
        {check && <Result check={check} />}
      </FigureFrame>
    </Section>
  );
}

/** In place of the result while it loads. */
function ResultLoading() {
  return (
    <Alert
      variant="default"
      role="presentation"
      icon={<IconCircleCheck color="var(--mantine-color-dimmed)" />}
      title={<SkeletonBar width={220} />}
      aria-hidden
    >
      <SkeletonBar width={340} />
    </Alert>
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

const columns: readonly RecordColumn<LedgerCheck['disagreements'][number]>[] = [
  { header: 'What', cell: ({ what }) => kinds[what] },
  { header: 'Of', wrap: 'anywhere', cell: ({ of }) => of },
  {
    header: 'Company',
    cell: ({ company_uuid: uuid }) => <CompanyLink uuid={uuid}>{uuid}</CompanyLink>,
  },
  { header: 'Expected', numeric: true, cell: ({ expected }) => formatNumber(expected, 6) },
  { header: 'Found', numeric: true, cell: (one) => formatNumber(one.found, 6) },
];

function Discrepancies({ found }: { found: LedgerCheck['disagreements'] }) {
  return (
    <>
      <RecordTable label="Discrepancies" columns={columns} rows={found.slice(0, SHOWN_MAX)} minWidth={720} />
      {found.length > SHOWN_MAX && (
        <Text size="sm" mt="xs">
          The first {SHOWN_MAX} are shown; check-ledger lists all.
        </Text>
      )}
    </>
  );
}
