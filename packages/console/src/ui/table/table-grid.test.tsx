import { MantineProvider } from '@mantine/core';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { TableGrid } from './table-grid.tsx';
import type { Column } from './table-state.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const columns: Column<{ name: string }>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name, footer: 'Total' },
  { id: 'spend', header: 'Spend', numeric: true, cell: () => '$1.00', footer: () => '$1.00' },
  { id: 'actions', header: 'Actions', actions: true, cell: () => 'Menu' },
];

function rowsOf(isFailed: boolean): { texts: string[]; placeholders: number; emptyHeaders: number } {
  const box = document.body.appendChild(document.createElement('div'));
  const root = createRoot(box);
  act(() =>
    root.render(
      <MantineProvider>
        <TableGrid
          label="Campaigns"
          columns={columns}
          rows={undefined}
          isFailed={isFailed}
          rowId={({ name }) => name}
          onSelect={() => undefined}
        />
      </MantineProvider>,
    ),
  );
  const texts = [...box.querySelectorAll('tbody tr, tfoot tr')].map((row) =>
    [...row.children].map(({ textContent }) => textContent).join('|'),
  );
  const placeholders = box.querySelectorAll('[data-skeleton]').length;
  const emptyHeaders = [...box.querySelectorAll('tfoot th')].filter(
    ({ textContent }) => textContent === '',
  ).length;
  act(() => root.unmount());
  return { texts, placeholders, emptyHeaders };
}

test('a table that could not be loaded has dashes for its rows and totals, and no placeholders', () => {
  const loading = rowsOf(false);
  expect(loading.placeholders).toBeGreaterThan(1);
  // Screen readers would read a header that says nothing.
  expect(loading.emptyHeaders).toBe(0);
  expect(rowsOf(true)).toEqual({ texts: ['|–|–|', '|Total|–|'], placeholders: 0, emptyHeaders: 0 });
});
