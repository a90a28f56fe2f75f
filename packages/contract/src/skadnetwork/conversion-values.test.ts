import { expect, test } from 'vitest';
import { type ConversionRule, ConversionValuesInput, ruleFor } from './conversion-values.ts';

const fine = (from: number, to: number, over: Partial<ConversionRule> = {}): ConversionRule => ({
  window: 0,
  fine_from: from,
  fine_to: to,
  coarse: null,
  event: 'purchase',
  revenue_from: null,
  revenue_to: null,
  ...over,
});
const coarse = (value: 'low' | 'high', window: number): ConversionRule => ({
  ...fine(0, 0),
  fine_from: null,
  fine_to: null,
  window,
  coarse: value,
});

test.each([
  ['a fine value beyond six bits', [fine(0, 64)], '0.fine_to', 'Enter a value between 0 and 63'],
  ['a range that ends before it begins', [fine(9, 3)], '0.fine_to', 'Not before the first value'],
  [
    'a fine value of a later window',
    [fine(1, 1, { window: 1 })],
    '0.window',
    'Only the first window has fine values',
  ],
  ['both kinds of values', [fine(1, 1, { coarse: 'low' })], '0.coarse', 'Either fine values or a coarse one'],
  ['a value far beyond six bits', [fine(0, 2 ** 53 - 1)], '0.fine_to', 'Enter a value between 0 and 63'],
  ['no meaning', [fine(1, 1, { event: null })], '0.event', 'Enter an event or a range of revenue'],
  ['half a range of revenue', [fine(1, 1, { revenue_from: 1 })], '0.revenue_to', 'Required'],
  [
    'revenue in the wrong order',
    [fine(1, 1, { revenue_from: 5, revenue_to: 1 })],
    '0.revenue_to',
    'Not below the lower amount',
  ],
  ['a value of two rules', [fine(0, 5), fine(5, 9)], '1.fine_from', 'Another rule has this value'],
  [
    'a coarse value of two rules',
    [coarse('low', 1), coarse('low', 1)],
    '1.coarse',
    'Another rule has this value',
  ],
])('%s is rejected with its message', (_what, rules, path, message) => {
  const { error } = ConversionValuesInput.safeParse({ rules });
  expect(error?.issues.map((issue) => [issue.path.slice(1).join('.'), issue.message])).toEqual([
    [path, message],
  ]);
});

test('a value is explained by the rule of its window and kind', () => {
  const rules = [fine(0, 9), fine(10, 63, { event: 'level' }), coarse('low', 0), coarse('low', 2)];
  expect(ConversionValuesInput.safeParse({ rules }).success).toBe(true);
  const of = (window: number, value: number | null, rough: string | null) =>
    rules.indexOf(ruleFor(rules, { window, fine: value, coarse: rough })!);
  expect([of(0, 9, null), of(0, 10, null), of(0, null, 'low'), of(2, null, 'low')]).toEqual([0, 1, 2, 3]);
  expect([of(1, null, 'low'), of(0, null, 'high'), of(0, null, null)]).toEqual([-1, -1, -1]);
});
