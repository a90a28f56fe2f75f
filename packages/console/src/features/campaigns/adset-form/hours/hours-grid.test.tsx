import { type Hours, HoursInput, hoursText } from '@bidwell/contract/adsets/hours';
import { act, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test } from 'vitest';
import { HoursGrid } from './hours-grid.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
let unmount = () => {};
afterEach(() => unmount());

function renderGrid(spans: object, tall = false) {
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  const shown = { text: '' };
  function Form() {
    const [hours, setHours] = useState<Hours>(HoursInput.parse(spans)!);
    useEffect(() => {
      shown.text = hoursText(hours);
    }, [hours]);
    return <HoursGrid hours={hours} onChange={setHours} tall={tall} />;
  }
  act(() => root.render(<Form />));
  unmount = () => {
    act(() => root.unmount());
    container.remove();
  };
  const named = (name: string) => container.querySelector<HTMLElement>(`[aria-label="${name}"]`)!;
  const pointer = (name: string, type: string) =>
    act(() => {
      named(name).dispatchEvent(new MouseEvent(type, { bubbles: true, button: 0 }));
    });
  return {
    text: () => shown.text,
    focused: () => document.activeElement?.getAttribute('aria-label'),
    isOpen: (name: string) => named(name).getAttribute('aria-selected'),
    tabStops: () => container.querySelectorAll('[tabindex="0"]').length,
    focus: (name: string) => act(() => named(name).focus()),
    press: (key: string, { shift = false } = {}) =>
      act(() => {
        const init = { key, shiftKey: shift, bubbles: true, cancelable: true };
        document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', init));
      }),
    drag(from: string, ...over: string[]) {
      pointer(from, 'pointerdown');
      for (const name of over) pointer(name, 'pointermove');
      pointer(over.at(-1) ?? from, 'pointerup');
    },
  };
}

test('dragging from an hour paints a rectangle in what that hour becomes, and back again', () => {
  const grid = renderGrid({ sun: [[0, 1]] });
  grid.drag('Monday 8 to 9', 'Tuesday 8 to 9', 'Wednesday 11 to 12', 'Tuesday 10 to 11');
  expect(grid.text()).toBe('Mon–Tue 8–11; Sun 0–1');
  grid.drag('Tuesday 9 to 10', 'Tuesday 10 to 11');
  expect(grid.text()).toBe('Mon 8–11; Tue 8–9; Sun 0–1');
  grid.drag('Friday 5 to 6');
  expect(grid.isOpen('Friday 5 to 6')).toBe('true');
});

test('heads open a whole day, an hour of all days and the week, and close what is open throughout', () => {
  const grid = renderGrid({ mon: [[8, 22]] });
  grid.drag('All of Monday');
  expect(grid.text()).toBe('Mon all day');
  grid.drag('All of Monday');
  grid.drag('12 to 13 on all days');
  expect(grid.text()).toBe('every day 12–13');
  grid.drag('All hours');
  expect(grid.text()).toBe('always');
  grid.drag('All hours');
  expect(grid.text()).toBe('');
});

test('keys move, open and close, and extend from the hour where Shift was pressed', () => {
  const grid = renderGrid({ sun: [[0, 1]] });
  expect(grid.tabStops()).toBe(1);
  grid.focus('Monday 0 to 1');
  grid.press('ArrowRight');
  grid.press(' ');
  expect(grid.focused()).toBe('Monday 1 to 2');
  grid.press('ArrowRight', { shift: true });
  grid.press('ArrowRight', { shift: true });
  grid.press('ArrowDown', { shift: true });
  expect(grid.text()).toBe('Mon–Tue 1–4; Sun 0–1');
  grid.press('End');
  expect(grid.focused()).toBe('Tuesday 23 to 24');
  grid.press('ArrowRight');
  expect(grid.focused()).toBe('Tuesday 23 to 24');
  grid.press('Home');
  grid.press('ArrowLeft');
  expect(grid.focused()).toBe('All of Tuesday');
  grid.press(' ');
  expect(grid.text()).toBe('Mon 1–4; Tue all day; Sun 0–1');
  expect(grid.tabStops()).toBe(1);
});

test('with the hours below each other the keys follow the screen', () => {
  const grid = renderGrid({ sun: [[0, 1]] }, true);
  grid.focus('Monday 0 to 1');
  grid.press('ArrowDown');
  grid.press('ArrowRight');
  grid.press(' ');
  expect(grid.text()).toBe('Tue 1–2; Sun 0–1');
});
