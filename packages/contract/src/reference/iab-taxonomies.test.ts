import { expect, test } from 'vitest';
import { IAB_CATEGORIES } from './iab-categories.ts';
import { content2Of } from './iab-content-2.ts';
import { categoryIn, categoryKeyOf, categoryKeysOf } from './iab-taxonomies.ts';

test('every category up to IAB23 has a counterpart in the newer taxonomies, below one of its top categories', () => {
  const mapped = IAB_CATEGORIES.filter(({ value }) => !/^IAB2[456]/.test(value));
  const tops = new Set<number>();
  for (const { value } of mapped) {
    const ids = content2Of(value);
    expect([value, ids.length > 0 && ids.every((id) => id > 0)]).toEqual([value, true]);
    tops.add(ids.at(-1)!);
  }
  expect(tops.size).toBeLessThan(35);
  for (const code of ['IAB24', 'IAB25-3', 'IAB26', 'IAB99', 'IAB9-99', 'constructor'])
    expect(content2Of(code)).toEqual([]);
});

test('a category has its keys in both taxonomies, and the keys of its parents', () => {
  expect(categoryKeysOf('IAB9-30')).toEqual(['IAB9-30', 'IAB9', '2:680']);
  expect(categoryKeysOf('IAB2-10')).toEqual(['IAB2-10', 'IAB2', '2:22', '2:16', '2:1']);
  expect(categoryKeysOf('IAB17')).toEqual(['IAB17', '2:483']);
  expect(categoryKeysOf('IAB26-3')).toEqual(['IAB26-3', 'IAB26']);
});

test('a category of a request is compared in its own taxonomy; other kinds of taxonomies are ignored', () => {
  expect(categoryKeyOf('iab9-30', 1)).toBe('IAB9-30');
  for (const taxonomy of [2, 5, 6, 7, 9]) expect(categoryKeyOf('680', taxonomy)).toBe('2:680');
  for (const taxonomy of [3, 4, 8, 500, -1]) expect(categoryKeyOf('680', taxonomy)).toBeNull();
});

test('a bid uses the taxonomy of the request for its category, where it has the category', () => {
  expect(categoryIn(7, 'IAB9-30')).toEqual({ code: '680', taxonomy: 7 });
  expect(categoryIn(1, 'IAB9-30')).toEqual({ code: 'IAB9-30', taxonomy: 1 });
  expect(categoryIn(8, 'IAB9-30')).toEqual({ code: 'IAB9-30', taxonomy: 1 });
  expect(categoryIn(2, 'IAB25-3')).toEqual({ code: 'IAB25-3', taxonomy: 1 });
});
