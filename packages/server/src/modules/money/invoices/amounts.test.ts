import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inCurrency, linesInCents, taxCents, toCents } from './amounts.ts';
import { amountText } from './pdf/draw-invoice.ts';

const micros = fc.integer({ min: -1_000_000_000, max: 9_000_000_000_000 });

test('the lines in cents sum to the rounded sum, and none is a cent off', () => {
  fc.assert(
    fc.property(fc.array(micros, { maxLength: 60 }), (amounts) => {
      const cents = linesInCents(amounts);
      expect(cents.reduce((sum, one) => sum + one, 0)).toBe(
        toCents(amounts.reduce((sum, one) => sum + one, 0)),
      );
      for (const [index, one] of cents.entries())
        expect(Math.abs(one * 10_000 - amounts[index]!)).toBeLessThanOrEqual(10_000);
    }),
  );
});

test('rounding is half away from zero, to the nearest cent', () => {
  expect([4999, 5000, 14_999, 15_000, -5000, -4999].map(toCents)).toEqual([0, 1, 1, 2, -1, 0]);
  fc.assert(
    fc.property(micros, (amount) => {
      expect(Math.abs(toCents(amount) * 10_000 - amount)).toBeLessThanOrEqual(5000);
      expect(toCents(-amount)).toBe(-toCents(amount) || 0);
    }),
  );
});

test('tax is exact for two decimals of a percent, also where a floating-point product is not', () => {
  expect(taxCents(123_457, 19)).toBe(23_457);
  expect(taxCents(50, 19)).toBe(10);
  expect(taxCents(1_000_000_000_003, 8.25)).toBe(82_500_000_000);
  expect(taxCents(100, 0)).toBe(0);
});

test('a total in another currency has its decimals', () => {
  expect(inCurrency(146_914, 923_400, 2)).toBe(135_660);
  expect(inCurrency(146_914, 156_250_000, 0)).toBe(229_553);
  expect(amountText(229_553, 0)).toBe('229,553');
  expect(amountText(5)).toBe('0.05');
  expect(amountText(-123_456_789)).toBe('-1,234,567.89');
});
