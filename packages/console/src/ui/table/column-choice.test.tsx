import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, test } from 'vitest';
import { useColumnChoice } from './column-choice.tsx';
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

/** The columns on a page, which may be given other ones; its button shows or hides one of them. */
function Page({ columns }: { columns: readonly Column<Row>[] }) {
  const { shown, toggle } = useColumnChoice('table', columns);
  return <button onClick={() => toggle('roas')}>{shown.map(({ id }) => id).join(' ')}</button>;
}

function choosing() {
  const box = document.body.appendChild(document.createElement('div'));
  const root = createRoot(box);
  return {
    shown: (columns: readonly Column<Row>[]) => {
      act(() => root.render(<Page columns={columns} />));
      return box.textContent;
    },
    toggle: () => {
      act(() => void box.querySelector('button')!.dispatchEvent(new MouseEvent('click', { bubbles: true })));
    },
  };
}

test('a suggested column is shown until it is hidden by choice', () => {
  const { shown, toggle } = choosing();
  expect(shown(plain)).toBe('spend');
  expect(shown(suggesting)).toBe('spend roas');
  toggle();
  expect(shown(suggesting)).toBe('spend');
  expect(shown(plain)).toBe('spend');
  toggle();
  expect(shown(suggesting)).toBe('spend roas');
});

test('a column that was chosen stays when it is suggested, and is hidden by one click', () => {
  const { shown, toggle } = choosing();
  shown(plain);
  toggle();
  expect(shown(plain)).toBe('spend roas');
  expect(shown(suggesting)).toBe('spend roas');
  toggle();
  expect(shown(suggesting)).toBe('spend');
});

test('a choice stays when the default of its column changes', () => {
  const { shown, toggle } = choosing();
  const shownByDefault = [column('spend'), column('roas')];
  shown(shownByDefault);
  toggle();
  expect(shown(shownByDefault)).toBe('spend');
  expect(shown(plain)).toBe('spend');
  toggle();
  expect(shown(plain)).toBe('spend roas');
  expect(shown(shownByDefault)).toBe('spend roas');
});

test('what an earlier release stored is read by the defaults that its columns had', () => {
  localStorage.setItem('bidwell.columns.table', JSON.stringify(['spend', 'roas', 'bid', '-cpi']));
  const bid = column('bid', { hidden: true, wasShown: true });
  const { shown } = choosing();
  expect(shown([...plain, bid, column('cpi', { hidden: true, suggested: true }), column('name')])).toBe(
    'roas name',
  );
});
