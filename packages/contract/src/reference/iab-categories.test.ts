import { expect, test } from 'vitest';
import { IAB_CATEGORIES, isIabCategory } from './iab-categories.ts';

test('the taxonomy is complete: 26 categories and 366 below them, each code once', () => {
  const codes = IAB_CATEGORIES.map((category) => category.value);
  expect(codes.filter((code) => !code.includes('-'))).toHaveLength(26);
  expect(codes).toHaveLength(26 + 366);
  expect(new Set(codes).size).toBe(codes.length);
  expect(IAB_CATEGORIES.every(({ name }) => name.trim() === name && name !== '')).toBe(true);
});

test.each([
  ['IAB1-7', 'Television'],
  ['IAB2-23', 'Wagon'],
  ['IAB7-45', "Women's Health"],
  ['IAB9-25', 'Roleplaying Games'],
  ['IAB9-30', 'Video & Computer Games'],
  ['IAB15-10', 'Weather'],
  ['IAB17-44', 'World Soccer'],
  ['IAB19-36', 'Windows'],
  ['IAB20-27', 'United Kingdom'],
  ['IAB26-4', 'Copyright Infringement'],
])('%s is %s', (value, name) => {
  expect(IAB_CATEGORIES).toContainEqual({ value, name });
});

test('only exact codes of the taxonomy are valid', () => {
  expect(isIabCategory('IAB9-30')).toBe(true);
  for (const other of ['IAB9-32', 'IAB27', 'iab9', 'IAB9-0', ' IAB9', ''])
    expect(isIabCategory(other)).toBe(false);
});
