import type { CompanyQuery, OperatorCompany } from '@bidwell/contract/operator/schema';
import { Anchor, Group, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { formatDay, formatMoney } from '../../lib/format/format.ts';
import { companiesQuery } from '../../entities/companies/queries.ts';
import { Caption } from '../../ui/layout/text.tsx';
import { numberColumn } from '../../ui/table/number-column.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { PagedTable } from '../../ui/table/paged-table.tsx';
import { Pages } from '../../ui/layout/pages.tsx';
import { Segments } from '../../ui/layout/segments.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import type { Column } from '../../ui/table/table-state.ts';

const PER_PAGE = 25;

const statuses = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
] as const;

type ListSearch = Pick<CompanyQuery, 'q' | 'status' | 'sort'> & { page?: number };

/** /operator/companies: all companies, with balances and recent spend. The URL holds search, status, order and page. */
export function CompaniesScreen() {
  const search = useSearch({ strict: false }) as ListSearch;
  const { q, status, sort, page = 1 } = search;
  const navigate = useNavigate();
  const show = (changes: { [Name in keyof ListSearch]?: ListSearch[Name] | undefined }) =>
    void navigate({
      to: '/operator/companies',
      // The search field changes the URL later, when other parts of it may have changed.
      search: (before: object) => ({ ...before, page: undefined, ...changes }),
      replace: true,
    });
  const figures = useLoadable(
    companiesQuery({
      page,
      limit: PER_PAGE,
      ...(q && { q }),
      ...(status && { status }),
      ...(sort && { sort }),
    }),
  );
  const list = knownData(figures);
  const isFiltered = q !== undefined || status !== undefined;
  return (
    <>
      <PageHeader title="Companies" description="All companies that advertise here." />
      <PagedTable
        label="Companies"
        columns={columns}
        rows={list?.companies}
        figures={figures}
        rowId={({ uuid }) => uuid}
        sort={sort}
        onSort={(next) => show({ sort: next as ListSearch['sort'] })}
        minWidth={980}
        toolbar={
          <Group p="sm" gap="sm">
            <CompanySearch q={q} onChange={(text) => show({ q: text })} />
            <Segments
              small
              label="Status"
              value={status ?? 'all'}
              onChange={(value) => show({ status: value === 'all' ? undefined : value })}
              options={statuses}
            />
          </Group>
        }
        empty={isFiltered ? 'No company matches.' : 'No company has registered yet.'}
        footer={
          <Pages
            label="Pages of companies"
            total={list?.total}
            perPage={PER_PAGE}
            page={page}
            onChange={(next) => show({ page: next === 1 ? undefined : next })}
          />
        }
      />
    </>
  );
}

/** The search field; the URL follows once typing pauses. */
function CompanySearch({
  q,
  onChange,
}: {
  q: string | undefined;
  onChange: (q: string | undefined) => void;
}) {
  const [text, setText] = useState(q ?? '');
  const change = useDebouncedCallback((typed: string) => onChange(typed.trim() || undefined), 250);
  return (
    <TextInput
      aria-label="Search companies"
      placeholder="Name, login, email or id"
      leftSection={<IconSearch size={15} />}
      maxLength={200}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        change(currentTarget.value);
      }}
      // A click on a company follows: a later change of the URL would take back the way to it.
      onBlur={change.flush}
      w={{ base: '100%', xs: 280 }}
    />
  );
}

const columns: readonly Column<OperatorCompany>[] = [
  {
    id: 'name',
    header: 'Company',
    sortBy: ({ name }) => name,
    cell: ({ uuid, name, logins }) => (
      <>
        <Anchor
          renderRoot={(props) => (
            <Link to={'/operator/companies/$uuid'} params={{ uuid } as never} {...props} />
          )}
          size="sm"
          fw={500}
          style={{ overflowWrap: 'anywhere' }}
        >
          {name}
        </Anchor>
        <Caption style={{ overflowWrap: 'anywhere' }}>{logins.join(', ')}</Caption>
      </>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ suspended, suspension_reason: reason }) => (
      <StatusBadge status={suspended ? 'Suspended' : 'Active'} reason={reason || null} />
    ),
  },
  numberColumn('balance', 'Balance', ({ balance }) => balance, formatMoney),
  numberColumn('credit_limit', 'Credit limit', (company) => company.credit_limit, formatMoney),
  numberColumn('spend_today', 'Spend today', (company) => company.spend_today, formatMoney),
  numberColumn('spend_7_days', '7 days', (company) => company.spend_7_days, formatMoney),
  numberColumn('spend_30_days', '30 days', (company) => company.spend_30_days, formatMoney),
  {
    id: 'created_at',
    header: 'Registered',
    sortBy: ({ created_at: createdAt }) => createdAt,
    cell: ({ created_at: createdAt }) => <span style={{ whiteSpace: 'nowrap' }}>{formatDay(createdAt)}</span>,
  },
];
