import type { CompanySummary } from '@bidwell/contract/company-overview/schema';
import { Anchor, Badge, Group } from '@mantine/core';
import { isKnown, useLoadable } from '../../lib/loadable.ts';
import { companySummariesQuery, switchCompany } from '../../entities/accounts/people-queries.ts';
import { roleNames } from '../../entities/accounts/role-text.ts';
import { formatMoney, formatNumber } from '../../lib/format/format.ts';
import { useSave } from '../../ui/form/use-save.ts';
import { Caption, LongText } from '../../ui/layout/text.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { type SummedFigure, companyTotal, hidesFigures } from './company-totals.ts';

/** /companies: all companies of the person with their figures; a click acts for one of them. */
export function CompaniesScreen() {
  const companies = useLoadable(companySummariesQuery);
  const hasTotals = isKnown(companies) && companies.data.length > 1;
  const figure = (
    header: string,
    name: SummedFigure,
    text: (value: number | null) => string,
  ): RecordColumn<CompanySummary> => ({
    header,
    numeric: true,
    cell: (company) => text(company[name]),
    ...(hasTotals && { footer: (all) => text(companyTotal(all, name)) }),
  });
  return (
    <>
      <PageHeader
        title="All companies"
        description="The figures that you can see of each company. Days are in the company’s time zone."
      />
      <RecordTable
        label="All companies"
        what="The companies"
        rows={companies}
        rowId={({ uuid }) => uuid}
        minWidth={760}
        cards
        columns={[
          {
            header: 'Company',
            cell: (company) => <CompanyCell company={company} />,
            ...(hasTotals && { footer: (all: readonly CompanySummary[]) => <TotalCell companies={all} /> }),
          },
          { header: 'Role', cell: ({ role }) => roleNames[role] },
          figure('Spend today', 'spend_today', money),
          figure('Spend, 7 days', 'spend_7_days', money),
          figure('Balance', 'balance', money),
          figure('Active campaigns', 'active_campaigns', count),
          figure('Unread warnings', 'unread_warnings', count),
        ]}
      />
    </>
  );
}

/** The head of the totals, and whether they leave figures out. */
function TotalCell({ companies }: { companies: readonly CompanySummary[] }) {
  return (
    <>
      All companies
      {hidesFigures(companies) && <Caption>Without the figures that you cannot see</Caption>}
    </>
  );
}

/** A figure that the role does not show, or that could not be read, is a dash. */
const money = (dollars: number | null) => (dollars === null ? '–' : formatMoney(dollars));
const count = (value: number | null) => (value === null ? '–' : formatNumber(value));

/** The name, which acts for the company, and why figures are missing. */
function CompanyCell({ company }: { company: CompanySummary }) {
  const { uuid, name, requires, is_current: isCurrent, is_suspended: isSuspended } = company;
  const { save: act, busy } = useSave({ send: switchCompany });
  const missing = missingText(company);
  return (
    <div>
      <Group gap="xs">
        {isCurrent || requires === 'single_sign_on' ? (
          <LongText fw={isCurrent ? 600 : 400}>{name}</LongText>
        ) : (
          <Anchor
            component="button"
            type="button"
            size="sm"
            ta="start"
            disabled={busy}
            style={{ overflowWrap: 'anywhere' }}
            onClick={() => act(uuid)}
          >
            {name}
          </Anchor>
        )}
        {isCurrent && (
          <Badge variant="light" size="sm">
            Current
          </Badge>
        )}
        {isSuspended && (
          <Badge variant="light" size="sm" color="red">
            Suspended
          </Badge>
        )}
      </Group>
      {missing && <Caption>{missing}</Caption>}
    </div>
  );
}

function missingText({ requires, is_incomplete: isIncomplete }: CompanySummary): string | null {
  if (requires === 'single_sign_on') return 'Requires single sign-on: log in again with it.';
  if (requires === 'second_factor') return 'Requires a second factor, which you set up when you open it.';
  return isIncomplete ? 'Some figures could not be read in time.' : null;
}
