import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, test } from 'vitest';
import { type ColumnChoiceState, useColumnChoice } from './column-choice.tsx';
import type { Column } from './table-state.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

beforeEach(() => localStorage.clear());

type Row = object;
const column = (id: string, look: Partial<Column<Row>> = {}): Column<Row> => ({
  id,
  header: id,
  cell: () => null,
  ...look,
});
const plain = [column('spend'), column('roas', { hidden: true })];
const suggesting = [column('spend'), column('roas', { hidden: true, suggested: true })];

/** The choice of columns on a page, which may be given other columns. */
function choosing() {
  let choice: ColumnChoiceState<Row>;
  function Page({ columns }: { columns: readonly Column<Row>[] }) {
    choice = useColumnChoice('table', columns);
    return null;
  }
  const root = createRoot(document.createElement('div'));
  return {
    shown: (columns: readonly Column<Row>[]) => {
      act(() => root.render(<Page columns={columns} />));
      return choice.shown.map(({ id }) => id);
    },
    toggle: (id: string) => act(() => choice.toggle(id)),
  };
}

test('a suggested column is shown until it is hidden by choice', () => {
  const { shown, toggle } = choosing();
  expect(shown(plain)).toEqual(['spend']);
  expect(shown(suggesting)).toEqual(['spend', 'roas']);
  toggle('roas');
  expect(shown(suggesting)).toEqual(['spend']);
  expect(shown(plain)).toEqual(['spend']);
  toggle('roas');
  expect(shown(suggesting)).toEqual(['spend', 'roas']);
});

test('a column that was chosen stays when it is suggested, and is hidden by one click', () => {
  const { shown, toggle } = choosing();
  shown(plain);
  toggle('roas');
  expect(shown(plain)).toEqual(['spend', 'roas']);
  expect(shown(suggesting)).toEqual(['spend', 'roas']);
  toggle('roas');
  expect(shown(suggesting)).toEqual(['spend']);
});
