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

function renderFields(bid_multipliers: BidMultiplier[], over: Partial<AdsetValues> = {}) {
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  function Form() {
    const [values, setValues] = useState<AdsetValues>({
      ...adsetValues(),
      bet_cpm: 4,
      bid_multipliers,
      ...over,
    });
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

test('countries and bundles with bids of their own have their own prices, up to the highest one', () => {
  const countries = [
    { country: 'DE', bet_cpm: 6, bet_cpi: null },
    { country: 'FR', bet_cpm: null, bet_cpi: null },
  ];
  const form = renderFields([{ dimension: 'country', value: 'US', factor: 1.2 }], { countries });
  expect(form.prices()).toEqual(['DE ×1.00 $6.00', 'US ×1.20 $4.80', 'Any other ×1.00 $4.00']);
  unmount();
  const byHour = renderFields([{ dimension: 'hour', value: '8', factor: 2 }], { countries });
  expect(byHour.prices()).toEqual([
    'DE 8–9 ×2.00 $12.00',
    'Any other 8–9 ×2.00 $8.00',
    'DE Any other ×1.00 $6.00',
    'Any other Any other ×1.00 $4.00',
  ]);
  expect(byHour.text()).toContain('No bid is above $12.00 per 1000 impressions.');
  unmount();
  const bundles = renderFields([{ dimension: 'bundle', value: 'com.a', factor: 0.5 }], {
    bundle_bids: { 'com.a': 10 },
  });
  expect(bundles.prices()).toEqual(['com.a ×0.50 $5.00', 'Any other ×1.00 $4.00']);
  expect(bundles.text()).toContain('No bid is above $5.00 per 1000 impressions.');
});
