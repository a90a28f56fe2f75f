import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ending, truncate } from './truncate.ts';

const text = fc.string({ unit: 'binary' });
const max = fc.integer({ min: 1, max: 20 });

test('a truncated text is a prefix of the text, within the limit, and has only whole characters', () => {
  fc.assert(
    fc.property(text, max, (whole, units) => {
      const head = truncate(whole, units);
      const tail = ending(whole, units);
      expect(whole.startsWith(head)).toBe(true);
      expect(whole.endsWith(tail)).toBe(true);
      for (const part of [head, tail]) {
        expect(part.length).toBeGreaterThanOrEqual(Math.min(whole.length, units) - 1);
        expect(part.length).toBeLessThanOrEqual(units);
        expect(part).not.toMatch(/\p{Surrogate}/u);
      }
    }),
  );
});
