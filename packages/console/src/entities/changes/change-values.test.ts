import { fieldLabel } from '@bidwell/contract/text/field-label';
import { expect, test } from 'vitest';
import { describeChange, valueFields, valueText, verbOf, wholeText } from './change-values.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test('fields have the names of their screens', () => {
  expect(fieldLabel('daily_budget_const')).toBe('Daily budget');
  expect(fieldLabel('tracking_link')).toBe('Tracking link');
  expect(fieldLabel('iab_number')).toBe('IAB number');
});

test.each([
  ['bet_cpm', 1234.5, '$1 234.50'],
  ['bet_cpi', null, 'none'],
  ['daily_budget_const', null, 'unlimited'],
  ['all_budget_const', 0, 'unlimited'],
  ['size_in_kb', 48_128, '48 128 kB'],
  ['rating', 4.5, '4.50'],
  ['end_date', '2026-12-31', 'Dec 31 / 2026'],
  ['top_up', 5000, '$5 000.00'],
  ['description', '', 'none'],
  ['app', { uuid: 'x', name: 'Lumen Drift' }, 'Lumen Drift'],
  [
    'creative_groups',
    [
      { uuid: 'x', name: 'One' },
      { uuid: 'y', name: 'Two' },
    ],
    'One, Two',
  ],
  ['location_include', [], 'none'],
  ['hours', { mon: [[8, 22]], tue: [[8, 22]], wed: [], thu: [], fri: [], sat: [], sun: [] }, 'Mon–Tue 8–22'],
  ['hours', null, 'always'],
  ['bid_multipliers', [{ dimension: 'country', value: 'DE', factor: 1.2 }], 'Country DE ×1.2'],
  ['countries', [{ country: 'DE', bet_cpm: null, bet_cpi: 2 }], 'DE: CPI $2.00'],
])('%s %j reads %s', (field, value, text) => {
  expect(plain(valueText(field, value))).toBe(text);
});

test('a changed list names the added and the removed items', () => {
  expect(describeChange({ field: 'location_include', before: ['DE', 'AT'], after: ['AT', 'CH'] })).toEqual({
    kind: 'list',
    added: ['CH'],
    removed: ['DE'],
    unchanged: 1,
  });
  expect(
    describeChange({ field: 'creative_groups', before: null, after: [{ uuid: 'x', name: 'One' }] }),
  ).toMatchObject({
    added: ['One'],
  });
});

test('of a long list the log has some entries and the numbers of all', () => {
  const changed = {
    field: 'black_list_bundles',
    before: ['com.a'],
    after: ['com.b', 'com.c'],
    entries: { added: 2000, removed: 1, unchanged: 300 },
  };
  const change = describeChange(changed);
  if (change.kind !== 'list') throw new Error('not a list');
  expect(change).toMatchObject({ removed: ['com.a'], unchanged: 300 });
  expect(plain(change.added.join(', '))).toBe('com.b, com.c, 1 998 more');
  expect(plain(wholeText(changed, 'after'))).toBe('com.b, com.c, 1 998 more');
});

test('a changed bundle bid shows both amounts', () => {
  expect(
    describeChange({
      field: 'bundle_bids',
      before: { 'com.a': 1, 'com.b': 2 },
      after: { 'com.a': 1.5, 'com.b': 2 },
    }),
  ).toEqual({
    kind: 'list',
    added: ['com.a: $1.50'],
    removed: ['com.a: $1.00'],
    unchanged: 1,
  });
});

test('a changed value shows its value before and after', () => {
  expect(describeChange({ field: 'status', before: 'Paused', after: 'Active' })).toEqual({
    kind: 'value',
    before: 'Paused',
    after: 'Active',
  });
});

test('circles of a target are named by their radius and place', () => {
  const circle = { lat: 52.5163, lon: 13.3777, km: 25 };
  expect(describeChange({ field: 'radius_include', before: [], after: [circle] })).toEqual({
    kind: 'list',
    added: ['25 km of 52.5163, 13.3777'],
    removed: [],
    unchanged: 0,
  });
});

test('an undo says what it took back, and an import of ids how they changed', () => {
  const undo = {
    field: 'undo_of',
    before: null,
    after: {
      uuid: '01890000-0000-7000-8000-000000000000',
      action: 'update',
      author: 'Ada Miller',
      created_at: '2026-03-02T09:20:00.000Z',
    },
  };
  const fields = [{ field: 'bet_cpm', before: 5, after: 2 }, undo];
  expect(verbOf({ action: 'update', fields })).toBe('undid a change of');
  expect(verbOf({ action: 'update', fields: fields.slice(0, 1) })).toBe('changed');
  expect(valueFields(fields)).toEqual(fields.slice(0, 1));
  expect(describeChange(undo)).toMatchObject({
    kind: 'note',
    text: expect.stringMatching(/^the change by Ada Miller, Mar 02 \/ 2026, /),
  });
  expect(describeChange({ field: 'ids_changed', before: null, after: 'Replaced by a file' })).toEqual({
    kind: 'note',
    text: 'Replaced by a file',
  });
});
