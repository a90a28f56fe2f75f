import { MICROS } from '@bidwell/contract/lib/money';
import { runs } from '@bidwell/testing/whole-run';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PLAIN_PRICES, type PriceRules } from '../model/price-rules.ts';
import { impressionMicros } from '../auction/price.ts';
import { chargeOf, exampleOf, namedCpm, readPrice, decryptGooglePrice } from './price.ts';
import { sampleRef } from './sample-ref.ts';

const encrypted: PriceRules = {
  keys: {
    encryption: Buffer.from('skU7Ax_NL5pPAFyKdkfZjZz2-VhIN8bjj1rVFOaJ_5o=', 'base64url'),
    integrity: Buffer.from('arO23ykdNqUQ5LEoQ0FVmPkBd7xB5CO89PDZlSjpFxo=', 'base64url'),
  },
  unreadable: 'hold',
  deviceNotices: 'none',
};

const NOTHING = { spendMicros: 0, marginMicros: 0, fault: null, isOpen: false, isUnconfirmed: false };

const unreadable = [
  [undefined, 'missing'],
  ['', 'missing'],
  ['${AUCTION_PRICE}', 'unreplaced_macro'],
  ['%%WINNING_PRICE%%', 'unreplaced_macro'],
  ['-5', 'negative'],
  ['-0.01', 'negative'],
  ['NaN', 'not_a_number'],
  ['5,00', 'not_a_number'],
  ['1.2.3', 'not_a_number'],
  ['Infinity', 'not_a_number'],
  ['0x10', 'not_a_number'],
] as const;

test.each(unreadable)('the price %j is %s, and the exchange’s rule decides the charge', (price, fault) => {
  const ref = sampleRef({ bidCpmMicros: 4_000_000 });
  const charge = (rule: PriceRules['unreadable']) =>
    chargeOf('billing', ref, price, { ...PLAIN_PRICES, unreadable: rule });
  expect(charge('bid')).toEqual({ ...NOTHING, spendMicros: 4000, fault });
  expect(charge('zero')).toEqual({ ...NOTHING, fault });
  expect(charge('hold')).toEqual({ ...NOTHING, fault, isOpen: true });
});

test.each([
  ['1E+1', 10],
  ['1e1', 10],
  // A plus sign that was not encoded arrives as a space.
  ['1E 1', 10],
  ['1.25E1', 12.5],
  ['2.5E-1', 0.25],
  ['.5', 0.5],
  ['5.', 5],
  ['+5', 5],
  ['0.30000000000000004', 0.30000000000000004],
  ['250000000', 250_000_000],
])('%s is the number %d, as servers print it', (text, units) => {
  expect(readPrice(text, PLAIN_PRICES)).toBe(units * MICROS);
});

test('every number is read as JavaScript and Java print it', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (units) => {
      const printed = [String(units), units.toExponential(), units.toExponential().replace('e', 'E')];
      fc.pre(!/e-\d{3}/.test(printed.join()));
      for (const text of printed) expect(readPrice(text, PLAIN_PRICES)).toBe(Number(text) * MICROS);
    }),
  );
});

test.each([
  '.',
  '+',
  'e1',
  '1e',
  '1e+',
  '1e1.5',
  '1 000',
  '2,5',
  '1e999',
  '9999999999',
  '5USD',
  '1_0',
  '- 1',
])('%s is no price', (text) => {
  expect(readPrice(text, PLAIN_PRICES)).toBe('not_a_number');
});

test('a decimal comma is read where the exchange has one', () => {
  const read = (text: string) => readPrice(text, { keys: null, decimalComma: true });
  expect(['2,5', ',5', '0,0104', '2.5', '1,5E+1', '+2,5', '-0,00'].map(read)).toEqual(
    [2.5, 0.5, 0.0104, 2.5, 15, 2.5, 0].map((units) => units * MICROS),
  );
  for (const text of ['1.234,5', '1,234.5', '1,2,3', ',', '-2,5'])
    expect(read(text)).toBe(text === '-2,5' ? 'negative' : 'not_a_number');
});

test('a price that could have lowered the charge of a device’s event and cannot be read has a fault', () => {
  const named = (price: string, ref: object = {}, kind: 'win' | 'billing' = 'win') =>
    namedCpm(kind, sampleRef({ chargeOn: 'impression', auctionType: 2, ...ref }), () => price, PLAIN_PRICES);
  expect(named('2')).toEqual({ cpmMicros: 2_000_000 });
  expect(named('2,5')).toEqual({ fault: 'not_a_number' });
  expect(named('${AUCTION_PRICE}', {}, 'billing')).toEqual({ fault: 'unreplaced_macro' });
  // The first price is the bid; an audit has none; and where the billing notice charges, the win notice decides nothing.
  expect(named('2,5', { auctionType: 1 })).toEqual({});
  expect(named('AUDIT')).toEqual({});
  expect(named('2,5', { chargeOn: 'billing' })).toEqual({});
});

test('operators see a price without characters that no price has', () => {
  expect(exampleOf('2,50 USD')).toBe('2,50 USD');
  expect(exampleOf('<b>a@b.example</b>')).toBe('?b?a?b.example??b?');
  expect(exampleOf('9'.repeat(100))).toHaveLength(40);
  expect([exampleOf(''), exampleOf(undefined)]).toEqual([undefined, undefined]);
});

test('an audit render and a price of 0 cost nothing under any rule, and leave the charge open', () => {
  for (const rule of ['bid', 'hold', 'zero'] as const) {
    const rules = { ...PLAIN_PRICES, unreadable: rule };
    expect(chargeOf('billing', sampleRef(), 'AUDIT', rules)).toEqual({
      ...NOTHING,
      fault: 'audit',
      isOpen: true,
    });
    for (const free of ['0.00', '-0', '-0.00', '-.0', '-0e1'])
      expect(chargeOf('billing', sampleRef(), free, rules)).toEqual({
        ...NOTHING,
        fault: null,
        isOpen: true,
      });
  }
});

test('an encrypted price is decrypted, and a plain or forged one is rejected', () => {
  const charge = (price: string) =>
    chargeOf('billing', sampleRef({ bidCpmMicros: 4_000_000 }), price, encrypted);
  // 1900 micros per thousand are 1.9 micros.
  expect([1, 2]).toContain(charge('YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCAWJRxOgA').spendMicros);
  for (const price of ['2.5', 'YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCAWJRxOgB'])
    expect(charge(price)).toEqual({ ...NOTHING, fault: 'not_decrypted', isOpen: true });
});

test('only the notice that the exchange charges at is read, and a test bid costs nothing', () => {
  expect(chargeOf('win', sampleRef(), '-5', PLAIN_PRICES)).toEqual(NOTHING);
  expect(chargeOf('billing', sampleRef({ test: true }), '-5', PLAIN_PRICES)).toEqual(NOTHING);
});

test('the impressions of a day cost the sum of their prices', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30_000_000 }), (cpmMicros) => {
      const impressions = 2000;
      let spentMicros = 0;
      for (let index = 0; index < impressions; index += 1) {
        const ref = sampleRef({ bidCpmMicros: 30_000_000 });
        spentMicros += chargeOf('billing', ref, String(cpmMicros / MICROS), PLAIN_PRICES).spendMicros;
      }
      // The sum of 2,000 random roundings deviates by more than six standard deviations once in a hundred million.
      expect(Math.abs(spentMicros - (impressions * cpmMicros) / 1000)).toBeLessThan(
        6 * Math.sqrt(impressions) * 0.5,
      );
    }),
    runs(20),
  );
});

test('a price of $0.0104 averages to itself over many impressions, and is the same each time for one bid', () => {
  const ref = sampleRef();
  const spent = new Set(
    Array.from({ length: 5 }, () => chargeOf('billing', ref, '0.0104', PLAIN_PRICES).spendMicros),
  );
  expect(spent.size).toBe(1);
  let sum = 0;
  for (let index = 0; index < 20_000; index += 1)
    sum += chargeOf('billing', sampleRef(), '0.0104', PLAIN_PRICES).spendMicros;
  expect(Math.abs(sum / 20_000 / 10.4 - 1)).toBeLessThan(0.003);
});

test('a charge is media cost and margin, never more than the bid reserves, and the margins of a day add up', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 30_000_000 }),
      fc.integer({ min: 1, max: 10_000 }),
      (cpmMicros, marginBasisPoints) => {
        const impressions = 300;
        let marginMicros = 0;
        for (let index = 0; index < impressions; index += 1) {
          const ref = sampleRef({ bidCpmMicros: cpmMicros, marginBasisPoints });
          const charge = chargeOf('billing', ref, String(cpmMicros / MICROS), PLAIN_PRICES);
          const plain = chargeOf('billing', { ...ref, marginBasisPoints: 0 }, undefined, PLAIN_PRICES);
          expect(charge.spendMicros - charge.marginMicros).toBe(plain.spendMicros);
          expect(charge.marginMicros).toBeGreaterThanOrEqual(0);
          expect(charge.spendMicros).toBeLessThanOrEqual(impressionMicros(cpmMicros, marginBasisPoints));
          marginMicros += charge.marginMicros;
        }
        const exact = (impressions * Math.floor((cpmMicros * marginBasisPoints) / 10_000)) / 1000;
        expect(Math.abs(marginMicros - exact)).toBeLessThan(6 * Math.sqrt(impressions));
      },
    ),
    runs(20),
  );
});

test('an event from a device charges the bid, with any price, rule and encryption', () => {
  const price = fc.oneof(
    fc.string(),
    fc.double({ min: 0, max: 20, noNaN: true }).map(String),
    fc.constantFrom(
      undefined,
      'AUDIT',
      '0',
      '-1',
      '${AUCTION_PRICE}',
      'YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCAWJRxOgA',
    ),
  );
  const rule = fc.constantFrom<PriceRules['unreadable']>('bid', 'hold', 'zero');
  const device = fc.constantFrom(
    ['impression', 'impression', 'none'] as const,
    ['impression', 'first', 'none'] as const,
    ['billing', 'first', 'billing'] as const,
    ['billing', 'billing', 'all'] as const,
    ['win', 'win', 'all'] as const,
  );
  fc.assert(
    fc.property(
      price,
      rule,
      fc.boolean(),
      device,
      (text, unreadableRule, isEncrypted, [kind, chargeOn, deviceNotices]) => {
        const ref = sampleRef({ chargeOn, bidCpmMicros: 4_000_000, marginBasisPoints: 2500 });
        const keys = isEncrypted ? encrypted.keys : null;
        const charge = chargeOf(kind, ref, text, { keys, unreadable: unreadableRule, deviceNotices });
        expect(charge).toMatchObject({
          spendMicros: 5000,
          marginMicros: 1000,
          isOpen: false,
          isUnconfirmed: true,
        });
      },
    ),
  );
});

/** The keys and prices of the protocol's own examples. */
const keys = {
  encryption: Buffer.from('skU7Ax_NL5pPAFyKdkfZjZz2-VhIN8bjj1rVFOaJ_5o=', 'base64url'),
  integrity: Buffer.from('arO23ykdNqUQ5LEoQ0FVmPkBd7xB5CO89PDZlSjpFxo=', 'base64url'),
};

test.each([
  ['YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCce_6msaw', 100],
  ['YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCAWJRxOgA', 1900],
  ['YWJjMTIzZGVmNDU2Z2hpN7fhCuPemC32prpWWw', 2700],
  ['YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCce_6msaw==', 100],
])('%s is a price of %i micros', (text, micros) => {
  expect(decryptGooglePrice(text, keys)).toBe(micros);
});

test('a price that was modified, truncated, encrypted with other keys or not encrypted is invalid', () => {
  const price = 'YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCce_6msaw';
  for (let at = 0; at < price.length; at += 1) {
    const changed = price.slice(0, at) + (price[at] === 'Q' ? 'g' : 'Q') + price.slice(at + 1);
    expect(decryptGooglePrice(changed, keys)).toBeNull();
  }
  const swapped = { encryption: keys.integrity, integrity: keys.encryption };
  expect(decryptGooglePrice(price, swapped)).toBeNull();
  for (const text of ['', '1.23', price.slice(1), `${price}aa`, '%%WINNING_PRICE%%', '5'.repeat(38)])
    expect(decryptGooglePrice(text, keys)).toBeNull();
});
