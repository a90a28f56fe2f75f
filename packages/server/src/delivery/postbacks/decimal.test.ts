import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalOf, decimalText, roundedTimes, timesDecimal } from './decimal.ts';
import { reportedTimeOf } from './reported-time.ts';

/** A decimal number, in digits and with an exponent. */
const number = fc.record({
  digits: fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
  scale: fc.nat(15),
  exponent: fc.integer({ min: -12, max: 12 }),
});

test('a number with any exponent is the same number without it', () => {
  fc.assert(
    fc.property(
      number,
      fc.constantFrom('e', 'E'),
      fc.boolean(),
      ({ digits, scale, exponent }, e, hasPlus) => {
        const plain = decimalText({ digits, scale });
        const moved = decimalText({ digits, scale: scale + 12 - exponent });
        const sign = exponent >= 0 && hasPlus ? '+' : '';
        const text = `${decimalText({ digits, scale: scale + 12 })}${e}${sign}${exponent}`;
        expect(decimalText(decimalOf(plain)!)).toBe(plain);
        if (text.length <= 60) expect(decimalText(decimalOf(text)!)).toBe(moved);
        if (text.length <= 60) expect(decimalText(decimalOf(text.replace('+', ' '))!)).toBe(moved);
      },
    ),
  );
});

test('amounts are rounded to micros half away from zero, exactly', () => {
  const micros = (text: string, rate = '1') =>
    Number(roundedTimes(timesDecimal(decimalOf(text)!, decimalOf(rate)!), 1_000_000n));
  expect(micros('1.2E-4')).toBe(120);
  expect(micros('0.0000005')).toBe(1);
  expect(micros('-0.0000005')).toBe(-1);
  expect(micros('0.00000049999999999999999')).toBe(0);
  // As doubles these are 8.295 and 1.0049999….
  expect(micros('1.005')).toBe(1_005_000);
  expect(micros('8.2949995', '1')).toBe(8_295_000);
  expect(micros('1.15', '1.1')).toBe(1_265_000);
  expect(micros('3', '1e-7')).toBe(0);
});

test.each([
  '',
  '.',
  '-',
  '1,5',
  '1.2.3',
  '0x10',
  '1e',
  'e5',
  '1e31',
  '1e-31',
  '١٢',
  '1 000',
  'Infinity',
  '9'.repeat(61),
])('%j is no number', (text) => expect(decimalOf(text)).toBeNull());

const atMs = Date.UTC(2026, 10, 28, 10, 15, 30);
test.each([
  '2026-11-28T15:45:30+05:30',
  '2026-11-28T15:45:30 05:30',
  '2026-11-28T15:45:30 0530',
  '2026-11-28 10:15:30+0000',
  '2026-11-28 10:15:30 +0000',
  '2026-11-28 10:15:30  0000',
  '2026-11-28 10:15:30.000 0000',
  '2026-11-28 12:15:30+02',
  '2026-11-28 08:15:30-02',
  '2026-11-28 10:15:30 UTC',
  '2026-11-28 10:15:30,000',
  '2026-11-28t10:15:30z',
  '20261128T101530Z',
  '20261128T154530+0530',
  '2026/11/28 10:15:30',
  '2026-11-28T11:15:30+01:00[Europe/Berlin]',
  '2026-11-28T10:15:30Z[UTC]',
  '2026-11-28T05:15:30\u221205:00',
  'Sat, 28 Nov 2026 10:15:30 GMT',
  'Sat, 28 Nov 2026 11:15:30 +0100',
  '28 Nov 2026 05:15:30 -0500',
  '2026-11-28T10:15:30.000999999Z',
  '2026-11-28 10:15:30',
  String(atMs / 1000),
  `${atMs / 1000}.0`,
  String(atMs),
  `${atMs}000`,
  `${atMs}000000`,
  `${atMs / 1e12}E9`,
  `${atMs / 1e12}e 9`,
])('the time %s is read', (text) => expect(reportedTimeOf(text)).toBe(atMs));

test.each([
  '',
  '2026-02-30 10:00:00',
  '2026-11-28',
  '28.11.2026 10:15',
  '2026-11-28 25:00:00',
  '0',
  '12345678',
  '99999999999',
  '4102444800',
  '-1795860930',
  '1'.repeat(20),
  '2026-11-28T10:15:30+99:99',
  '2026-11-28T10:15:30[Europe/Berlin]',
  '2026-11-28 10:15:30 EST',
  'Sat, 28 Nov 2026 10:15:30 EST',
  'Sat, 28 Nov 2026 10:15:30',
  '31 Feb 2026 10:15:30 GMT',
  '11/28/2026 10:15:30',
  '20261128101530',
  '20261128T10',
  '2026-332T10:15:30Z',
  '2026-11-28T10:15:61Z',
  `2026-11-28T10:15:30Z[${'x'.repeat(100)}]`,
])('the time %j is not read', (text) => expect(reportedTimeOf(text)).toBeNull());

test('a leap second is the one after the minute', () => {
  expect(reportedTimeOf('2016-12-31T23:59:60Z')).toBe(Date.UTC(2017, 0));
  expect(reportedTimeOf('2016-12-31T18:59:60.5-05:00')).toBe(Date.UTC(2017, 0, 1, 0, 0, 0, 500));
});

test('a time in any unit is read to the millisecond', () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(2001, 9), max: Date.UTC(2099) }), (ms) => {
      for (const text of [
        String(ms / 1000),
        String(ms),
        `${ms}123`,
        `${ms}123456`,
        new Date(ms).toISOString(),
      ])
        expect([text, reportedTimeOf(text)]).toEqual([text, ms]);
    }),
  );
});
