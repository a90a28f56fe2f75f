import { MantineProvider } from '@mantine/core';
import { useForm } from '@mantine/form';
import { QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { targetMessages } from '@bidwell/contract/targets/messages';
import { TargetInput } from '@bidwell/contract/targets/schema';
import { regionsQuery, seenCitiesQuery, subRegionsQuery } from '../../entities/reference/queries.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { CarrierFields, byFoldedWords, PlaceFields, PlacementKindField } from './place-fields.tsx';
import { type TargetValues, settingsOf, valuesOf } from './target-values.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
let unmount = () => {};
afterEach(() => {
  unmount();
  vi.unstubAllGlobals();
});

/** Renders the fields of places, carriers and placements with values, and returns what is shown and held. */
function render(some: Partial<TargetValues> = {}, field?: string, onFetch = (_url: string) => {}) {
  // No list is loaded: the fields have to work without their options.
  vi.stubGlobal('fetch', async (url: string) => {
    onFetch(url);
    return new Promise(() => {});
  });
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  const held = { values: { ...valuesOf(undefined), ...some } };
  function Form() {
    const form = useForm<TargetValues>({
      initialValues: held.values,
      onValuesChange: (values) => (held.values = values),
    });
    return (
      <>
        <CarrierFields form={form} field={field} />
        <PlaceFields form={form} field={field} />
        <PlacementKindField form={form} field={field} />
      </>
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
  const button = (name: string) =>
    [...container.querySelectorAll('button')].find(
      (one) => one.textContent === name || one.getAttribute('aria-label') === name,
    )!;
  return {
    values: () => held.values,
    open: () =>
      [...container.querySelectorAll('[aria-expanded="true"]:not(input)')].map((one) => one.textContent),
    press: (name: string) => act(() => button(name).click()),
    type: (label: string, text: string) =>
      act(() => {
        const input = container.querySelector<HTMLInputElement>(`input[aria-label="${label}"]`)!;
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, text);
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }),
  };
}

test('the fields are folded until one of them has a value, or is the one to change', () => {
  expect(render().open()).toEqual([]);
  unmount();
  const places = 'Regions, cities, postal codes and radius';
  expect(render({ city_exclude: ['DE:Berlin'] }).open()).toEqual([places]);
  unmount();
  expect(render({ device_id: 'with' }).open()).toEqual(['Carriers and advertising ID']);
  unmount();
  expect(render({}, 'placement_kinds').open()).toEqual(['Kinds of placements']);
});

test('a circle is pasted as coordinates, counts once it is whole, and is removed', () => {
  const form = render();
  form.press('Regions, cities, postal codes and radius');
  form.press('Add a place to include');
  expect(form.values().radius_include).toEqual([{ lat: null, lon: null, km: 25 }]);
  expect(settingsOf(form.values()).radius_include).toEqual([]);
  expect(TargetInput.safeParse(form.values()).success).toBe(false);
  form.type('Coordinates of place 1', '52.52, 13.405');
  const circle = { lat: 52.52, lon: 13.405, km: 25 };
  expect(form.values().radius_include).toEqual([circle]);
  expect(settingsOf(form.values()).radius_include).toEqual([circle]);
  form.type('Coordinates of place 1', '52.52, ');
  expect(form.values().radius_include).toEqual([{ lat: null, lon: null, km: 25 }]);
  form.press('Remove place 1');
  expect(form.values().radius_include).toEqual([]);
});

test('a pasted list of postal codes is a tag for each, with the country of the target', () => {
  const form = render({ location_include: ['US'], postal_include: ['US:1'] });
  const input = document.querySelector<HTMLInputElement>('[data-path="postal_include"]')!;
  const paste = new Event('paste', { bubbles: true, cancelable: true });
  Object.assign(paste, { clipboardData: { getData: () => '900, 901\r\n902\n\n' } });
  act(() => void input.dispatchEvent(paste));
  expect(form.values().postal_include).toEqual(['US:1', 'US:900', 'US:901', 'US:902']);
});

test('cities are being loaded while the server reads its sample', () => {
  queryClient.setQueryData(seenCitiesQuery(['FI']).queryKey, { cities: [], is_loading: true });
  render({ location_include: ['FI'], postal_include: ['FI:1'] });
  expect(document.body.textContent).toContain('Loading the suggestions…');
  unmount();
  queryClient.setQueryData(seenCitiesQuery(['FI']).queryKey, { cities: [], is_loading: false });
  render({ location_include: ['FI'], postal_include: ['FI:1'] });
  expect(document.body.textContent).not.toContain('Loading the suggestions…');
});

test('the names of chosen regions are known, and no list of all regions is loaded', () => {
  const california = { value: 'US-CA', name: 'California', country: 'US', parent: null };
  queryClient.setQueryData(regionsQuery(['US']).queryKey, [california]);
  queryClient.setQueryData(subRegionsQuery.queryKey, []);
  const asked: string[] = [];
  render({ region_include: ['US-CA'] }, undefined, (url) => asked.push(url));
  expect(document.body.textContent).toContain('California (US-CA)');
  expect(asked.filter((url) => url.includes('/regions'))).toEqual([]);
  unmount();
  const bavaria = { value: 'DE-BY', name: 'Bayern', english: 'Bavaria', country: 'DE', parent: null };
  queryClient.setQueryData(regionsQuery(['DE']).queryKey, [bavaria]);
  render({ region_include: ['DE-BY'] });
  expect(document.body.textContent).toContain('Bavaria (Bayern, DE-BY)');
});

test('cities and postal codes of another form are named before the form is saved', () => {
  render({ city_include: ['Los Angeles'], postal_exclude: ['US:900', 'DE'] });
  expect(document.body.textContent).toContain(targetMessages.cityForm(['Los Angeles']));
  expect(document.body.textContent).toContain(targetMessages.postalForm(['DE']));
});

test('regions that begin with the search come first, with their countries', () => {
  const region = (label: string) => ({ value: label, label });
  const options = [
    { group: 'Mexico', items: [region('Baja California')] },
    { group: 'United States', items: [region('New California'), region('California')] },
  ];
  const found = byFoldedWords({ options, search: 'Californ', limit: 2 });
  expect(found).toEqual([
    { group: 'United States', items: [region('California'), region('New California')] },
  ]);
});
