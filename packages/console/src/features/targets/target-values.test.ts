import { expect, test } from 'vitest';
import { valuesOf, withEntry } from './target-values.ts';

const values = { ...valuesOf(undefined), name: 'Europe' };

test('an entry is added once to a list, and leaves the exclusions', () => {
  const europe = { ...values, location_include: ['DE', 'us'], location_exclude: ['US', 'FR'] };
  const wider = withEntry(europe, 'location_include', 'US');
  expect(wider).toMatchObject({ location_include: ['DE', 'US'], location_exclude: ['FR'] });
});

test('an empty list has every entry already', () => {
  expect(withEntry(values, 'device_models', 'Pixel 9')).toEqual(values);
});

test('a field that is no list stays as it is', () => {
  expect(withEntry(values, 'name', 'DE')).toEqual(values);
  expect(withEntry(values, 'no_such_field', 'DE')).toEqual(values);
});
