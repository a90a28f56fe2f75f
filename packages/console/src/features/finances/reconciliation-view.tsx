import type { ReconciledAmounts, Reconciliation } from '@bidwell/contract/finance/reconciliation';
import { Alert, Box, Group, Paper } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { partsInCents } from '../../entities/finance/cents.ts';
import { useLoadable } from '../../lib/loadable.ts';
import { formatDay, formatMoment, formatMoney, formatNumber } from '../../lib/format/format.ts';
import { reconciliationQuery } from '../../entities/finance/queries.ts';
import { useRangeSearch } from '../../lib/range-search.ts';
import { DateRangePicker } from '../../ui/form/date-range-picker.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { SkeletonBar } from '../../ui/chart/skeleton-bar.tsx';

type Amount = 'reports' | 'ledger' | 'log' | 'charges';

/** The columns, with the total below them; undefined while it loads. */
function columnsOf(total: ReconciledAmounts | undefined): RecordColumn<Reconciliation['days'][number]>[] {
  const agreeText = ({ agrees }: ReconciledAmounts) => (agrees ? 'Yes' : 'No');
  const amount = (header: string, of: Amount, format: (value: number) => string) => ({
    header,
    numeric: true,
    cell: (day: ReconciledAmounts) => format(day[of]),
    footer: () => total && format(total[of]),
  });
  return [
    { header: 'Date', cell: ({ date }) => formatDay(date), footer: 'Total' },
    amount('Reports, $', 'reports', formatMoney),
    amount('Ledger, $', 'ledger', formatMoney),
    amount('Log, $', 'log', formatMoney),
    amount('Charges', 'charges', formatNumber),
    { header: 'Agrees', cell: agreeText, footer: () => total && agreeText(total) },
  ];
}

/** The spend of a range of days as the reports, the ledger and the log of events have it. */
export function ReconciliationView() {
  const dates = useRangeSearch();
  const figures = useLoadable(reconciliationQuery(dates.range));
  return (
    <Paper withBorder>
      <Group p="sm" justify="space-between">
        <DateRangePicker choice={dates} />
      </Group>
      <FigureFrame figures={figures} what="The amounts" noticeMargin="sm" skeleton={<Loading />}>
        {(reconciliation) => <Result reconciliation={reconciliation} />}
      </FigureFrame>
    </Paper>
  );
}

/** In place of the result while it loads. */
function Loading() {
  return (
    <>
      <Box px="sm" pb="sm">
        <Alert color="gray">
          <SkeletonBar width={360} />
        </Alert>
      </Box>
      <Days days={undefined} />
    </>
  );
}

function Result({ reconciliation }: { reconciliation: Reconciliation }) {
  const { days, total, before } = reconciliation;
  if (days.length === 0)
    return (
      <EmptyState
        title="No spend in these days"
        text="Spend is compared once its hour is over: in the reports, in the ledger and in the log of events."
      />
    );
  return (
    <>
      <Box px="sm" pb="sm">
        <Summary total={total} />
      </Box>
      <Days days={daysInCents(days, total)} total={total} />
      <Caption p="sm">
        The reports read sums of events, the ledger has what was taken from the balance, and the log has the
        price of every impression that was charged. Amounts of a day are in cents that sum to the total, so
        that one may be a cent above or below its own rounding. Compared until {formatMoment(before)}, by
        whole hours of UTC.
      </Caption>
    </>
  );
}

/** The days with their total; undefined while they load. */
function Days({ days, total }: { days: Reconciliation['days'] | undefined; total?: ReconciledAmounts }) {
  return <RecordTable label="Reconciliation by day" columns={columnsOf(total)} rows={days} minWidth={620} />;
}

/** The days with amounts that add up to the total, all in whole cents. */
function daysInCents(days: Reconciliation['days'], total: ReconciledAmounts): Reconciliation['days'] {
  const partsOf = (source: 'reports' | 'ledger' | 'log') =>
    partsInCents(
      days.map((day) => day[source]),
      total[source],
    );
  const [reports, ledger, log] = [partsOf('reports'), partsOf('ledger'), partsOf('log')];
  return days.map((day, index) => ({
    ...day,
    reports: reports[index]!,
    ledger: ledger[index]!,
    log: log[index]!,
  }));
}

function Summary({ total }: { total: ReconciledAmounts }) {
  if (total.agrees)
    return (
      <Alert color="green" icon={<IconCheck size={18} />} role="status">
        Reports, ledger and log agree: {formatMoney(total.log)} from {formatNumber(total.charges)} charges.
      </Alert>
    );
  return (
    <Alert color="orange" icon={<IconAlertTriangle size={18} />} role="status">
      The amounts differ: {formatMoney(total.reports)} in the reports, {formatMoney(total.ledger)} in the
      ledger, {formatMoney(total.log)} in the log. After an outage the ledger follows within minutes; if the
      difference stays, ask the operator to check the ledger.
    </Alert>
  );
}
