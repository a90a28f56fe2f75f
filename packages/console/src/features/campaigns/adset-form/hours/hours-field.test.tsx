import { HoursInput, hoursText } from '@bidwell/contract/adsets/hours';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../../../lib/api/query-client.ts';
import { type AdsetValues, adsetValues } from '../adset-values.ts';
import { HoursField } from './hours-field.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
let unmount = () => {};
afterEach(() => {
  unmount();
  vi.unstubAllGlobals();
});

test('the grid stays open where all hours are chosen, which is stored as none, until the switch is off', () => {
  vi.stubGlobal('fetch', async () => new Promise(() => {}));
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  const held: Pick<AdsetValues, 'hours'> = { hours: null };
  function Form() {
    const [values, setValues] = useState<AdsetValues>({
      ...adsetValues(),
      hours: HoursInput.parse({ mon: [[8, 22]] }),
    });
    useEffect(() => {
      held.hours = values.hours;
    }, [values]);
    return (
      <HoursField values={values} onChange={(changes) => setValues({ ...values, ...changes })} errors={{}} />
    );
  }
  act(() =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <MantineProvider>
          <Form />
        </MantineProvider>
      </QueryClientProvider>,
    ),
  );
  unmount = () => {
    act(() => root.unmount());
    container.remove();
  };
  const named = (name: string) => container.querySelector<HTMLElement>(`[aria-label="${name}"]`);
  const press = (name: string) =>
    act(() =>
      [...container.querySelectorAll('button')].find(({ textContent }) => textContent === name)!.click(),
    );
  press('Always');
  expect(held.hours).toBeNull();
  expect(named('Monday 3 to 4')?.getAttribute('aria-selected')).toBe('true');
  for (const type of ['pointerdown', 'pointerup'])
    act(() => void named('All of Sunday')!.dispatchEvent(new MouseEvent(type, { bubbles: true, button: 0 })));
  expect(hoursText(held.hours!)).toBe('Mon–Sat all day');
  press('Always');
  act(() => container.querySelector<HTMLInputElement>('input[type="checkbox"]')!.click());
  expect([held.hours, named('Monday 3 to 4')]).toEqual([null, null]);
});
