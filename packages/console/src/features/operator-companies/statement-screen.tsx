import type { StatementLine } from '@bidwell/contract/finance/schema';
import type { OperatorCompany, Statement } from '@bidwell/contract/operator/schema';
import { Group, NativeSelect, Paper, Stack, Text, Title } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { statementInCents } from '../../entities/finance/cents.ts';
import { csvFile, csvText, saveFile } from '../../lib/format/csv-file.ts';
import { dateAt, monthText } from '@bidwell/contract/lib/calendar';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { formatDay, formatMoney } from '../../lib/format/format.ts';
import { companyQuery, statementQuery } from '../../entities/companies/queries.ts';
import { useTodayIn } from '../../lib/today.ts';
import { toastError } from '../../lib/toast.ts';
import { CompanyLink } from '../../entities/companies/company-link.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { EditScreen } from '../../ui/layout/edit-screen.tsx';
import { SumTiles } from '../../ui/chart/sum-tiles.tsx';
import { transactionKinds } from '../../entities/finance/transactions-table.tsx';
import { monthsSince, statementTable } from './statement-values.ts';

/** /operator/companies/$uuid/statement?month=YYYY-MM: a company's statement, to read, print or download. */
export function StatementScreen() {
  const { uuid } = useParams({ strict: false }) as { uuid: string };
  const company = useLoadable(companyQuery(uuid));
  return <EditScreen entity={company}>{(known) => <StatementOf company={known} />}</EditScreen>;
}

function StatementOf({ company }: { company: OperatorCompany }) {
  const { uuid, time_zone: timeZone } = company;
  const { month: requested } = useSearch({ strict: false }) as { month?: string };
  const navigate = useNavigate();
  const present = useTodayIn(timeZone).slice(0, 7);
  const month = requested ?? present;
  const figures = useLoadable(statementQuery(uuid, month));
  const statement = knownData(figures);
  const months = monthsSince(dateAt(Date.parse(company.created_at), timeZone), present);
  return (
    <Stack maw={960}>
      <Group justify="space-between" className="no-print">
        <CompanyLink uuid={uuid} back>
          {company.name}
        </CompanyLink>
        <Group gap="xs">
          <NativeSelect
            aria-label="Month"
            data={(months.includes(month) ? months : [month, ...months]).map((value) => ({
              value,
              label: monthText(value),
            }))}
            value={month}
            onChange={({ currentTarget }) =>
              void navigate({ to: '.', search: { month: currentTarget.value } as never, replace: true })
            }
          />
          <SecondaryButton
            leftSection={<IconDownload size={16} />}
            disabled={!statement}
            onClick={() => void download(statement!).catch(toastError)}
          >
            CSV
          </SecondaryButton>
          <SecondaryButton
            leftSection={<IconPrinter size={16} />}
            disabled={!statement}
            onClick={() => print()}
          >
            Print
          </SecondaryButton>
        </Group>
      </Group>
      <FigureFrame figures={figures} what="The statement" skeleton={<Movements statement={undefined} />}>
        {statement && <StatementPage statement={statementInCents(statement)} />}
      </FigureFrame>
    </Stack>
  );
}

async function download(statement: Statement): Promise<void> {
  const file = csvFile(await csvText(statementTable(statement)));
  saveFile(`statement-${statement.month}-${statement.company_uuid}.csv`, file);
}

function StatementPage({ statement }: { statement: Statement }) {
  const { company_name: name, company_uuid: uuid, month, time_zone: timeZone, open, totals } = statement;
  const sums = [
    ['Opening balance', statement.opening],
    ['Top-ups', totals.top_up],
    ['Credits', totals.credit],
    ['Debits', totals.debit],
    ['Media spend', totals.spend],
    ['Closing balance', statement.closing],
  ] as const;
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'lg' }}>
      <Stack gap="lg">
        <div>
          <Title order={1} size="h3">
            Statement, {monthText(month)}
          </Title>
          <Text style={{ overflowWrap: 'anywhere' }}>{name}</Text>
          <Caption style={{ overflowWrap: 'anywhere' }}>
            {uuid} · US dollars · days in {timeZone}
            {open && ' · the month has not ended, further movements may follow'}
          </Caption>
        </div>
        <SumTiles sums={sums} cols={{ base: 2, sm: 3, md: 6 }} />
        <Movements statement={statement} />
        {statement.campaigns.length > 0 && <Campaigns campaigns={statement.campaigns} />}
      </Stack>
    </Paper>
  );
}

/** A movement, or the balance before or after all of them. */
type Line = Pick<StatementLine, 'balance'> & (StatementLine | { label: string });

const movementColumns: readonly RecordColumn<Line>[] = [
  {
    header: 'Date',
    wrap: 'never',
    cell: (line) => ('label' in line ? <b>{line.label}</b> : formatDay(line.date)),
  },
  { header: 'Kind', wrap: 'never', cell: (line) => 'kind' in line && transactionKinds[line.kind] },
  { header: 'Description', wrap: 'anywhere', cell: (line) => 'kind' in line && line.description },
  { header: 'Amount', numeric: true, cell: (line) => 'kind' in line && formatMoney(line.amount) },
  {
    header: 'Balance',
    numeric: true,
    cell: (line) => ('label' in line ? <b>{formatMoney(line.balance)}</b> : formatMoney(line.balance)),
  },
];

/** The movements of a month between its opening and its closing balance; undefined while they load. */
function Movements({ statement }: { statement: Statement | undefined }) {
  const rows = statement && [
    { label: 'Opening balance', balance: statement.opening },
    ...statement.lines,
    { label: 'Closing balance', balance: statement.closing },
  ];
  return <RecordTable label="Movements" columns={movementColumns} rows={rows} minWidth={600} />;
}

const campaignColumns: readonly RecordColumn<Statement['campaigns'][number]>[] = [
  { header: 'Campaign', wrap: 'anywhere', cell: ({ name }) => name },
  { header: 'Spend', numeric: true, cell: ({ spend }) => formatMoney(spend) },
];

function Campaigns({ campaigns }: Pick<Statement, 'campaigns'>) {
  return (
    <div>
      <Title order={2} size="h5" mb="xs">
        Media spend by campaign
      </Title>
      <RecordTable
        label="Media spend by campaign"
        columns={campaignColumns}
        rows={campaigns}
        minWidth={280}
      />
    </div>
  );
}
