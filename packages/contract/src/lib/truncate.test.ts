import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ending, truncate } from './truncate.ts';
import { isVisibleName } from './visible-name.ts';

const text = fc.string({ unit: 'binary' });
const max = fc.integer({ min: 1, max: 20 });

test('a truncated text is a prefix of the text, within the limit, and has only whole characters', () => {
  fc.assert(
    fc.property(text, max, (whole, units) => {
      const head = truncate(whole, units);
      const tail = ending(whole, units);
      expect(whole.startsWith(head)).toBe(true);
      expect(whole.endsWith(tail)).toBe(true);
      expect(tail.length).toBeGreaterThanOrEqual(Math.min(whole.length, units) - 1);
      for (const part of [head, tail]) {
        expect(part.length).toBeLessThanOrEqual(units);
        expect(part).not.toMatch(/\p{Surrogate}/u);
      }
    }),
  );
});

test.each([
  ['👩🏽‍🤝‍👨🏿!', 12, '👩🏽‍🤝‍👨🏿'],
  ['a👩🏽‍🤝‍👨🏿', 12, 'a'],
  ['Wales 🏴󠁧󠁢󠁷󠁬󠁳󠁿', 12, 'Wales '],
  ['e\u0301e\u0301', 3, 'e\u0301'],
  ['葛\u{E0100}城', 3, '葛\u{E0100}'],
  ['می\u200Cخواهم', 3, 'می'],
  ['plain text', 5, 'plain'],
])('%s is cut after at most %i code units, and no character is split', (whole, units, head) => {
  expect(truncate(whole, units)).toBe(head);
});

test('a first character that is longer than the limit is split between code points', () => {
  expect(truncate(`a${'\u0301'.repeat(50)}`, 10)).toBe(`a${'\u0301'.repeat(9)}`);
  expect(truncate('👩🏽‍🤝‍👨🏿', 5)).toBe('👩🏽');
});

test('a name that is visible is so when it is truncated', () => {
  const piece = fc.constantFrom('a', ' ', '👩🏽‍🤝‍👨🏿', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', '1️⃣', '❤️', 'می‌خواهم', 'क्‍ष', 'ශ්‍රී', '葛󠄀', '🇩🇪');
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1 }), fc.integer({ min: 14, max: 50 }), (pieces, units) => {
      expect(isVisibleName(truncate(pieces.join(''), units))).toBe(true);
    }),
  );
});
