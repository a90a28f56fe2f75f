import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import type { TimeGroup } from './format/dates.ts';
import { useDrawn } from './use-drawn.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

function Names({ group, isPlaceholder }: { group: TimeGroup; isPlaceholder: boolean }) {
  return useDrawn(group, isPlaceholder);
}

test('points keep the names of their own group until the chosen group is there', () => {
  const box = document.createElement('div');
  const root = createRoot(box);
  const shownFor = (group: TimeGroup, isPlaceholder: boolean) => {
    act(() => root.render(<Names group={group} isPlaceholder={isPlaceholder} />));
    return box.textContent;
  };
  expect(shownFor('day', false)).toBe('day');
  expect(shownFor('week', true)).toBe('day');
  expect(shownFor('week', false)).toBe('week');
  act(() => root.unmount());
});
