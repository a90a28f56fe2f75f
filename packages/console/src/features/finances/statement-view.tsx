import type { AccountStatement } from '@bidwell/contract/finance/schema';
import { Button, Group, Paper, Table, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { statementInCents } from '../../entities/finance/cents.ts';
import { csvFile, csvText, saveFile, type CsvTable } from '../../lib/format/csv-file.ts';
import { useFigures } from '../../lib/figures.ts';
import { formatDay, formatMoney } from '../../lib/format/format.ts';
import { accountStatementQuery } from '../../entities/finance/queries.ts';
import { useRangeSearch } from '../../lib/range-search.ts';
import { toastError } from '../../lib/toast.ts';
import { DateRangePicker } from '../../ui/form/date-range-picker.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { RecordTable } from '../../ui/table/record-table.tsx';
import { SumTiles } from '../../ui/chart/sum-tiles.tsx';
import { TableSkeleton } from '../../ui/table/table-skeleton.tsx';
import { transactionKinds } from '../../entities/finance/transactions-table.tsx';
import { exactDollars, movementsCsv } from '../../entities/finance/movements-csv.ts';

/** The statement of a range of days: each movement with the balance after it, or the spend of each campaign. */
export function StatementView({ by }: { by: 'day' | 'campaign' }) {
  const dates = useRangeSearch();
  const figures = useFigures(accountStatementQuery(dates.range));
  const statement = figures.data;
  const shown = statement && statementInCents(statement);
  const download = async (exact: AccountStatement) =>
    saveFile(
      `bidwell-statement-${exact.start_date}-${exact.end_date}-${by}.csv`,
      csvFile(await csvText(statementCsv(exact, by))),
    );
  return (
    <Paper withBorder>
      <Group p="sm" justify="space-between">
        <DateRangePicker choice={dates} />
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          disabled={!statement || figures.state === 'stale'}
          onClick={() => void download(statement!).catch(toastError)}
        >
          CSV
        </Button>
      </Group>
      <FigureFrame figures={figures} what="The statement" noticeMargin="sm" skeleton={<Loading by={by} />}>
        {shown && <Sums statement={shown} />}
        {shown && (by === 'day' ? <Days statement={shown} /> : <Campaigns statement={shown} />)}
        {shown && <RoundingNote />}
      </FigureFrame>
    </Paper>
  );
}

function RoundingNote() {
  return (
    <Text size="xs" c="dimmed" p="sm">
      Amounts are rounded so that they add up to the balances. The CSV has them to a millionth of a dollar.
    </Text>
  );
}

/** In place of the statement while it loads. */
function Loading({ by }: { by: 'day' | 'campaign' }) {
  return (
    <>
      <Sums statement={undefined} />
      <TableSkeleton
        columns={by === 'day' ? dayColumns : campaignColumns}
        verticalSpacing={SPACING}
        foot={by === 'campaign' ? 'Total' : undefined}
      />
    </>
  );
}

function Sums({ statement }: { statement: AccountStatement | undefined }) {
  const totals = statement?.totals;
  const sums = [
    ['Opening balance', statement?.opening],
    ['Top-ups and credits', totals && totals.top_up + totals.credit],
    ['Media spend', totals?.spend],
    ['Other debits', totals?.debit],
    ['Closing balance', statement?.closing],
  ] as const;
  return <SumTiles sums={sums} cols={{ base: 2, sm: 5 }} px="sm" pb="sm" />;
}

const dayColumns = [
  { heading: 'Date' },
  { heading: 'Movement' },
  { heading: 'Amount', right: true },
  { heading: 'Balance', right: true },
];

const campaignColumns = [{ heading: 'Campaign' }, { heading: 'Spend', right: true }];

/** Vertical padding of the cells, px. */
const SPACING = 8;

function Days({ statement: { lines } }: { statement: AccountStatement }) {
  if (lines.length === 0) return <EmptyState title="No movements in these days" />;
  return (
    <RecordTable label="Movements by day" columns={dayColumns} verticalSpacing={SPACING}>
      {lines.map(({ date, kind, description, amount, balance }, index) => (
        <Table.Tr key={index}>
          <Table.Td>{formatDay(date)}</Table.Td>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>
            {kind === 'spend' ? description : `${transactionKinds[kind]}: ${description}`}
          </Table.Td>
          <Table.Td ta="right">{formatMoney(amount)}</Table.Td>
          <Table.Td ta="right">{formatMoney(balance)}</Table.Td>
        </Table.Tr>
      ))}
    </RecordTable>
  );
}

function Campaigns({ statement: { campaigns, totals } }: { statement: AccountStatement }) {
  if (campaigns.length === 0) return <EmptyState title="No spend in these days" />;
  return (
    <RecordTable
      label="Spend by campaign"
      columns={campaignColumns}
      verticalSpacing={SPACING}
      foot={
        <Table.Tr>
          <Table.Th>Total</Table.Th>
          <Table.Th ta="right">{formatMoney(Math.abs(totals.spend))}</Table.Th>
        </Table.Tr>
      }
    >
      {campaigns.map(({ uuid, name, spend }) => (
        <Table.Tr key={uuid}>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>{name}</Table.Td>
          <Table.Td ta="right">{formatMoney(spend)}</Table.Td>
        </Table.Tr>
      ))}
    </RecordTable>
  );
}

/** A statement as a table: its movements between the opening and the closing balance, or its spend by campaign. Pure. */
function statementCsv(statement: AccountStatement, by: 'day' | 'campaign'): CsvTable {
  const { start_date: start, end_date: end, opening, closing, lines, campaigns } = statement;
  if (by === 'campaign')
    return {
      fields: ['Campaign', 'Campaign id', 'Spend'],
      data: campaigns.map(({ uuid, name, spend }) => [name, uuid, exactDollars(spend)]),
    };
  return movementsCsv({ opening: [start, opening], lines, closing: [end, closing] });
}
