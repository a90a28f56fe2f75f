import type { FrequencyCap } from '@bidwell/contract/frequency/caps';
import { MantineProvider } from '@mantine/core';
import { act, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test } from 'vitest';
import { CapsField } from './caps-field.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
let unmount = () => {};
afterEach(() => unmount());

/** Renders the caps of an ad set; `caps` are those that the form has. */
function renderCaps(initial: FrequencyCap[] = []) {
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  const form = { caps: initial };
  function Form() {
    const [value, setValue] = useState(initial);
    const change = (caps: FrequencyCap[]) => {
      form.caps = caps;
      setValue(caps);
    };
    return <CapsField of="ad set" value={value} onChange={change} error={undefined} />;
  }
  act(() =>
    root.render(
      <MantineProvider>
        <Form />
      </MantineProvider>,
    ),
  );
  unmount = () => {
    act(() => root.unmount());
    container.remove();
  };
  const labelled = (label: string) => container.querySelector<HTMLInputElement>(`[aria-label="${label}"]`)!;
  const click = (element: HTMLElement) => act(() => element.click());
  return {
    form,
    text: () => container.textContent,
    shown: (name: string) => labelled(name).value,
    add: () =>
      click([...container.querySelectorAll('button')].find((one) => one.textContent.startsWith('Add'))!),
    hasAdd: () => container.textContent.includes('Add a frequency cap'),
    remove: (number: number) => click(labelled(`Remove cap ${number}`)),
    type(name: string, value: string) {
      const input = labelled(name);
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!;
      act(() => {
        set.call(input, value);
        input.dispatchEvent(new Event('input', { bubbles: true }));
      });
    },
    choose(name: string, unit: string) {
      act(() => labelled(name).click());
      const option = [...document.querySelectorAll<HTMLElement>('[role="option"]')].find(
        ({ textContent }) => textContent === unit,
      );
      click(option!);
    },
  };
}

test('there is only a button until a cap is added, which is put in words', () => {
  const caps = renderCaps();
  expect(caps.text()).not.toContain('impressions in');
  caps.add();
  expect(caps.form.caps).toEqual([{ impressions: 3, minutes: 1440 }]);
  expect(caps.text()).toContain('at most 3 in any 24 hours. The time is rolling');
  caps.add();
  expect(caps.form.caps).toEqual([
    { impressions: 3, minutes: 1440 },
    { impressions: 4, minutes: 10_080 },
  ]);
  caps.type('Cap 2: impressions', '10');
  expect(caps.text()).toContain('at most 3 in any 24 hours and 10 in any 7 days');
  caps.remove(1);
  expect(caps.form.caps).toEqual([{ impressions: 10, minutes: 10_080 }]);
});

test('a chosen unit stays while its time is typed', () => {
  const caps = renderCaps([{ impressions: 3, minutes: 60 }]);
  expect([caps.shown('Cap 1: time'), caps.shown('Cap 1: unit')]).toEqual(['1', 'hour']);
  caps.type('Cap 1: time', '24');
  expect(caps.form.caps).toEqual([{ impressions: 3, minutes: 1440 }]);
  expect([caps.shown('Cap 1: time'), caps.shown('Cap 1: unit')]).toEqual(['24', 'hours']);
  caps.choose('Cap 1: unit', 'minutes');
  expect(caps.form.caps).toEqual([{ impressions: 3, minutes: 24 }]);
});

test('a saved cap of 24 hours has hours, and a unit of one is singular', () => {
  const caps = renderCaps([
    { impressions: 3, minutes: 1440 },
    { impressions: 10, minutes: 7 * 1440 },
    { impressions: 1, minutes: 60 },
  ]);
  const shown = [1, 2, 3].map((cap) => `${caps.shown(`Cap ${cap}: time`)} ${caps.shown(`Cap ${cap}: unit`)}`);
  expect(shown).toEqual(['24 hours', '7 days', '1 hour']);
});

test('caps that do not go together have no words, and there are at most five', () => {
  const caps = renderCaps([
    { impressions: 3, minutes: 1440 },
    { impressions: 3, minutes: 60 },
  ]);
  expect(caps.text()).not.toContain('at most');
  for (let count = 2; count < 5; count += 1) caps.add();
  expect(caps.form.caps).toHaveLength(5);
  expect(caps.hasAdd()).toBe(false);
});
