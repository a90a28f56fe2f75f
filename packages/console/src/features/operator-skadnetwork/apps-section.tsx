import type { NetworkApp } from '@bidwell/contract/skadnetwork/schema';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { CompanyLink } from '../../entities/companies/company-link.tsx';
import { networkAppsQuery, switchNetworkApp } from '../../entities/skadnetwork/queries.ts';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { Caption, Muted } from '../../ui/layout/text.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { SearchField } from '../../ui/table/search-field.tsx';
import { SigningSwitch } from './signing-switch.tsx';

/** The iOS apps of all companies, those with signed bids first. */
export function AppsSection({ mayChange }: { mayChange: boolean }) {
  const { q = '' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const figures = useLoadable(networkAppsQuery(q));
  const list = knownData(figures);
  const apps = list?.apps;
  const columns = useMemo(() => columnsOf(mayChange), [mayChange]);
  const search = (next: string | undefined) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, q: next }) as never, replace: true });
  const isEmpty = apps?.length === 0;
  return (
    <Section title="Apps" flush actions={<SearchField label="iOS apps" value={q} onChange={search} />}>
      <FigureFrame figures={figures} what="The apps" noticeMargin="sm">
        {isEmpty && figures.state !== 'stale' ? (
          <Muted px="md" pb="md">
            {q === '' ? 'No company advertises an iOS app yet.' : 'No iOS app matches.'}
          </Muted>
        ) : (
          // That there is none may be true of the search before only.
          <RecordTable
            label="Apps"
            columns={columns}
            rows={isEmpty ? undefined : apps}
            rowId={({ uuid }) => uuid}
            minWidth={560}
          />
        )}
        {list && list.total > list.apps.length && (
          <Caption px="md" py="sm">
            The first {formatNumber(list.apps.length)} of {formatNumber(list.total)}. Search for others.
          </Caption>
        )}
      </FigureFrame>
    </Section>
  );
}

function columnsOf(mayChange: boolean): readonly RecordColumn<NetworkApp>[] {
  return [
    { header: 'App', cell: ({ name }) => name, wrap: 'anywhere', width: 170 },
    {
      header: 'Signing',
      cell: ({ uuid, name, enabled, item_id: itemId }) => (
        <SigningSwitch
          enabled={enabled}
          name={name}
          mayChange={mayChange}
          hindrance={itemId === null ? 'Its store link has no App Store ID' : undefined}
          send={(next) => switchNetworkApp(uuid, next)}
        />
      ),
    },
    {
      header: 'Company',
      cell: ({ company, company_uuid: uuid }) => <CompanyLink uuid={uuid}>{company}</CompanyLink>,
      wrap: 'anywhere',
    },
    { header: 'App Store ID', cell: ({ item_id: itemId }) => itemId ?? '–', wrap: 'never' },
  ];
}
