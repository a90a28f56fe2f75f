import { expect, test } from 'vitest';
import { testPage } from '../../lib/test-page.tsx';
import { DataTable } from './data-table.tsx';
import type { Column } from './table-state.ts';

interface Row {
  name: string;
  status: string;
  app: string;
  kind: 'acquisition' | 're_engagement';
}
const rows: Row[] = [
  { name: 'Launch', status: 'Active', app: '1', kind: 'acquisition' },
  { name: 'Return', status: 'Paused', app: '2', kind: 're_engagement' },
  { name: 'Win back', status: 'Active', app: '2', kind: 're_engagement' },
];
const columns: Column<Row>[] = [{ id: 'name', header: 'Name', cell: ({ name }) => name }];
const filters = {
  statusOf: ({ status }: Row) => status,
  appsOf: ({ app }: Row) => [{ uuid: app, name: `App ${app}` }],
  kindOf: ({ kind }: Row) => ({
    value: kind,
    label: kind === 'acquisition' ? 'Acquisition' : 'Re-engagement',
  }),
};

test.each([
  [{}, ['Launch', 'Return', 'Win back']],
  [{ kind: 're_engagement' }, ['Return', 'Win back']],
  [{ kind: 'acquisition' }, ['Launch']],
  [{ status: 'Active', kind: 're_engagement' }, ['Win back']],
  [{ app: '1' }, ['Launch']],
])('a table shows the rows of the status, the app and the kind of its state: %o', async (state, names) => {
  const { page, draw, close } = testPage();
  await draw(
    <DataTable
      label="Campaigns"
      columns={columns}
      rows={rows}
      rowId={({ name }) => name}
      filters={filters}
      state={state}
      onStateChange={() => undefined}
      empty={null}
    />,
  );
  expect([...page.querySelectorAll('tbody tr')].map(({ textContent }) => textContent)).toEqual(names);
  await close();
});

test('the filter by kind offers its values by their names', async () => {
  const { page, draw, close } = testPage();
  await draw(
    <DataTable
      label="Campaigns"
      columns={columns}
      rows={rows}
      rowId={({ name }) => name}
      toolbar="Tools"
      filters={filters}
      state={{}}
      onStateChange={() => undefined}
      empty={null}
    />,
  );
  const select = page.querySelector<HTMLSelectElement>('select[aria-label=Kind]')!;
  expect([...select.options].map(({ value, text }) => `${value}: ${text}`)).toEqual([
    ': All kinds',
    'acquisition: Acquisition',
    're_engagement: Re-engagement',
  ]);
  await close();
});
