import { expect, test } from 'vitest';
import { type Column, filterRows, nextSort, pageOf, searchRows, sortRows } from './table-state.ts';

interface Row {
  name: string;
  cpi: number | null;
}
const columns: Column<Row>[] = [
  { id: 'name', header: 'Name', cell: () => null, sortBy: ({ name }) => name },
  { id: 'cpi', header: 'CPI', cell: () => null, sortBy: ({ cpi }) => cpi },
];
const rows: Row[] = [
  { name: 'Set 10', cpi: null },
  { name: 'set 2', cpi: 3 },
  { name: 'Set 1', cpi: 1 },
];
const names = (found: readonly Row[]) => found.map(({ name }) => name);
const nameOf = ({ name }: Row) => name;

test('a search trims and ignores case; names sort by the numbers in them; null comes last in both directions', () => {
  expect(names(searchRows(rows, '  SET 1 ', nameOf))).toEqual(['Set 10', 'Set 1']);
  expect(names(sortRows(rows, columns, 'name'))).toEqual(['Set 1', 'set 2', 'Set 10']);
  expect(names(sortRows(rows, columns, 'cpi'))).toEqual(['Set 1', 'set 2', 'Set 10']);
  expect(names(sortRows(rows, columns, '-cpi'))).toEqual(['set 2', 'Set 1', 'Set 10']);
  expect(names(sortRows(rows, columns, 'no such column'))).toEqual(names(rows));
});

test('a page beyond the last counts as the last', () => {
  const page = pageOf(rows, { page: 9, size: 2 });
  expect(page).toMatchObject({ number: 2, count: 2 });
  expect(names(page.rows)).toEqual(['Set 1']);
});

test('a header sorts ascending, descending, then not at all; or descending first', () => {
  const turns = (column: { id: string; descendsFirst?: boolean }) =>
    [undefined, 'cpi', '-cpi', 'name'].map((sort) => nextSort(sort, column));
  expect(turns({ id: 'cpi' })).toEqual(['cpi', '-cpi', undefined, 'cpi']);
  expect(turns({ id: 'cpi', descendsFirst: true })).toEqual(['-cpi', undefined, 'cpi', '-cpi']);
});

test('filters keep the rows of the status and the app; a table without them ignores both', () => {
  const entities = [
    { name: 'a', status: 'Active', apps: [{ uuid: '1', name: 'One' }] },
    { name: 'b', status: 'Paused', apps: [] },
    { name: 'c', status: 'Active', apps: [{ uuid: '2', name: 'Two' }] },
  ];
  const filters = {
    statusOf: (row: (typeof entities)[0]) => row.status,
    appsOf: (row: (typeof entities)[0]) => row.apps,
  };
  const found = (state: { status?: string; app?: string }, by: object = filters) =>
    filterRows(entities, state, by).map(({ name }) => name);
  expect(found({})).toEqual(['a', 'b', 'c']);
  expect(found({ status: 'Active' })).toEqual(['a', 'c']);
  expect(found({ status: 'Active', app: '2' })).toEqual(['c']);
  expect(found({ app: '2' }, {})).toEqual(['a', 'b', 'c']);
});
