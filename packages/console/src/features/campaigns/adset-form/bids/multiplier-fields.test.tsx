import type { BidMultiplier } from '@bidwell/contract/adsets/multipliers';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test } from 'vitest';
import { type AdsetValues, adsetValues } from '../adset-values.ts';
import { MultiplierFields } from './multiplier-fields.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
let unmount = () => {};
afterEach(() => unmount());

function renderFields(bid_multipliers: BidMultiplier[]) {
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  function Form() {
    const [values, setValues] = useState<AdsetValues>({ ...adsetValues(), bet_cpm: 4, bid_multipliers });
    return (
      <MultiplierFields
        values={values}
        onChange={(changes) => setValues({ ...values, ...changes })}
        errors={{}}
        uuid={null}
      />
    );
  }
  act(() =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
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
  const click = (find: (button: HTMLButtonElement) => boolean) =>
    act(() => {
      [...container.querySelectorAll('button')].find(find)!.click();
    });
  return {
    text: () => container.textContent,
    prices: () =>
      [...container.querySelectorAll('tbody tr')].map((row) =>
        [...row.querySelectorAll('td')].map((cell) => cell.textContent).join(' '),
      ),
    add: () => click(({ textContent }) => textContent === 'Add a multiplier'),
    remove: (name: string) => click((button) => button.getAttribute('aria-label') === name),
    rows: () => container.querySelectorAll('[aria-label^="Remove the multiplier"]').length,
  };
}

test('the form shows the price of each combination, and the highest price', () => {
  const form = renderFields([
    { dimension: 'country', value: 'US', factor: 1.5 },
    { dimension: 'hour', value: '8', factor: 0.5 },
  ]);
  expect(form.prices()).toEqual([
    'US Any other ×1.50 $6.00',
    'Any other Any other ×1.00 $4.00',
    'US 8–9 ×0.75 $3.00',
    'Any other 8–9 ×0.50 $2.00',
  ]);
  expect(form.text()).toContain('No bid is above $6.00 per 1000 impressions.');
  form.remove('Remove the multiplier of hour 8–9');
  expect(form.prices()).toEqual(['US ×1.50 $6.00', 'Any other ×1.00 $4.00']);
});

test('without multipliers there are no prices, and a new one begins with the factor 1', () => {
  const form = renderFields([]);
  expect(form.prices()).toEqual([]);
  form.add();
  expect(form.rows()).toBe(1);
  expect(form.prices()).toEqual([]);
});
