import type { AccountStatement, StatementLine } from '@bidwell/contract/finance/schema';
import { Group, Paper } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { statementInCents } from '../../entities/finance/cents.ts';
import { type CsvTable, csvFile, csvText, saveFile } from '../../lib/format/csv-file.ts';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { formatDay, formatMoney } from '../../lib/format/format.ts';
import { accountStatementQuery } from '../../entities/finance/queries.ts';
import { useRangeSearch } from '../../lib/range-search.ts';
import { toastError } from '../../lib/toast.ts';
import { DateRangePicker } from '../../ui/form/date-range-picker.tsx';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { SumTiles } from '../../ui/chart/sum-tiles.tsx';
import { transactionKinds } from '../../entities/finance/transactions-table.tsx';
import { exactDollars, movementsCsv } from '../../entities/finance/movements-csv.ts';

/** The statement of a range of days: each movement with the balance after it, or the spend of each campaign. */
export function StatementView({ by }: { by: 'day' | 'campaign' }) {
  const dates = useRangeSearch();
  const figures = useLoadable(accountStatementQuery(dates.range));
  const statement = knownData(figures);
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
        <SecondaryButton
          leftSection={<IconDownload size={16} />}
          disabled={!statement || figures.state === 'stale'}
          onClick={() => void download(statement!).catch(toastError)}
        >
          CSV
        </SecondaryButton>
      </Group>
      <FigureFrame
        figures={figures}
        what="The statement"
        noticeMargin="sm"
        skeleton={<Amounts statement={undefined} by={by} />}
      >
        {shown && <Amounts statement={shown} by={by} />}
        {shown && <RoundingNote />}
      </FigureFrame>
    </Paper>
  );
}

function RoundingNote() {
  return (
    <Caption p="sm">
      Amounts are rounded so that they add up to the balances. The CSV has them to a millionth of a dollar.
    </Caption>
  );
}

/** The statement; undefined while it loads. */
function Amounts({ statement, by }: { statement: AccountStatement | undefined; by: 'day' | 'campaign' }) {
  return (
    <>
      <Sums statement={statement} />
      {by === 'day' ? <Days statement={statement} /> : <Campaigns statement={statement} />}
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

const dayColumns: readonly RecordColumn<StatementLine>[] = [
  { header: 'Date', cell: ({ date }) => formatDay(date) },
  {
    header: 'Movement',
    wrap: 'anywhere',
    cell: ({ kind, description }) =>
      kind === 'spend' ? description : `${transactionKinds[kind]}: ${description}`,
  },
  { header: 'Amount', numeric: true, cell: ({ amount }) => formatMoney(amount) },
  { header: 'Balance', numeric: true, cell: ({ balance }) => formatMoney(balance) },
];

const campaignColumns: readonly RecordColumn<AccountStatement['campaigns'][number]>[] = [
  { header: 'Campaign', wrap: 'anywhere', cell: ({ name }) => name, footer: 'Total' },
  {
    header: 'Spend',
    numeric: true,
    cell: ({ spend }) => formatMoney(spend),
    footer: (campaigns) => formatMoney(campaigns.reduce((sum, { spend }) => sum + spend, 0)),
  },
];

/** Vertical padding of the cells, px. */
const SPACING = 8;

/** The movements of the statement; undefined while it loads. */
function Days({ statement }: { statement: AccountStatement | undefined }) {
  const rows = statement?.lines;
  if (rows?.length === 0) return <EmptyState title="No movements in these days" />;
  return <RecordTable label="Movements by day" columns={dayColumns} rows={rows} verticalSpacing={SPACING} />;
}

/** The campaigns of the statement; undefined while it loads. */
function Campaigns({ statement }: { statement: AccountStatement | undefined }) {
  const rows = statement?.campaigns;
  if (rows?.length === 0) return <EmptyState title="No spend in these days" />;
  return (
    <RecordTable label="Spend by campaign" columns={campaignColumns} rows={rows} verticalSpacing={SPACING} />
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
