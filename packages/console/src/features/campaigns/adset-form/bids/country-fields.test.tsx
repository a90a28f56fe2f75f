import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import type { CountrySettings } from '@bidwell/contract/adsets/country-settings';
import type { Target } from '@bidwell/contract/targets/schema';
import { MantineProvider } from '@mantine/core';
import { act, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test } from 'vitest';
import { type AdsetValues, adsetValues } from '../adset-values.ts';
import { CountryFields } from './country-fields.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
let unmount = () => {};
afterEach(() => unmount());

function renderFields(countries: CountrySettings[], campaignKind?: CampaignKind, target?: Target) {
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  const held = { countries };
  function Form() {
    const [values, setValues] = useState<AdsetValues>({ ...adsetValues(), countries });
    useEffect(() => {
      held.countries = values.countries;
    }, [values]);
    return (
      <CountryFields
        values={values}
        onChange={(changes) => setValues({ ...values, ...changes })}
        errors={{}}
        campaignKind={campaignKind}
        target={target}
      />
    );
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
  const inputs = () => [...container.querySelectorAll('input')];
  return {
    values: () => inputs().map(({ value }) => value),
    enter: (index: number, text: string) =>
      act(() => {
        const input = inputs()[index]!;
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, text);
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }),
    saved: () => held.countries,
    note: () => container.querySelector('[role=status]')?.textContent ?? null,
  };
}

test('a country has bids and a daily budget, and is without one where the field is empty', () => {
  const form = renderFields([{ country: 'JP', bet_cpm: 4.5, bet_cpi: null, daily_budget: 100 }]);
  expect(form.values()).toContain('Japan (JP)');
  form.enter(4, '250');
  expect(form.saved()).toEqual([{ country: 'JP', bet_cpm: 4.5, bet_cpi: null, daily_budget: 250 }]);
  form.enter(4, '');
  expect(form.saved()[0]!.daily_budget).toBeUndefined();
});

test('a country of a re-engagement ad set has no target CPI, unless it was given one', () => {
  const country = { country: 'DE', bet_cpm: 6, bet_cpi: null };
  const count = (countries: CountrySettings[], kind?: CampaignKind) => {
    const { length } = renderFields(countries, kind).values();
    unmount();
    return length;
  };
  const all = count([country]);
  expect(count([country], 're_engagement')).toBe(all - 1);
  expect(count([{ ...country, bet_cpi: 2 }], 're_engagement')).toBe(all);
});

test('settings of countries outside of the target are said to have no effect', () => {
  const countries = ['DE', 'US'].map((country) => ({ country, bet_cpm: 4, bet_cpi: null }));
  const target = {
    name: 'Europe',
    location_include: ['DE', 'AT'],
    location_exclude: [] as string[],
  } as Target;
  expect(renderFields(countries, undefined, target).note()).toBe(
    'US: not a country of “Europe”, so its settings have no effect.',
  );
  unmount();
  const all = { ...target, location_include: [], location_exclude: ['DE', 'US'] };
  expect(renderFields(countries, undefined, all).note()).toContain(
    'DE, US: not a country of “Europe”, so their',
  );
  unmount();
  expect(renderFields(countries, undefined, { ...all, location_exclude: [] }).note()).toBeNull();
});
