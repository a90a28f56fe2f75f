import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gppAllows } from './gpp.ts';

const NEEDS = { purposes: [1, 7], preciseLocation: false };
const allowedBy = (gpp: string, applying: readonly number[], vendorId: number | null): boolean =>
  gppAllows(gpp, applying, vendorId, NEEDS);

/** Encodes bits as base64url, six per character. */
function base64(bits: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return bits.match(/.{1,6}/g)!.map((six) => alphabet[Number.parseInt(six.padEnd(6, '0'), 2)]).join(''); // prettier-ignore
}

const number = (value: number, count: number) => value.toString(2).padStart(count, '0');

/** Fibonacci code: greedy from the greatest Fibonacci number, written from the smallest, then a terminating 1. */
function fibonacci(value: number): string {
  const numbers = [1, 2];
  while (numbers.at(-1)! <= value) numbers.push(numbers.at(-1)! + numbers.at(-2)!);
  let left = value;
  let code = '';
  for (const fib of numbers.slice(0, -1).reverse()) {
    code = (fib <= left ? '1' : '0') + code;
    if (fib <= left) left -= fib;
  }
  return `${code.replace(/0+$/, '')}1`;
}

/** Header for sections with these ids; a pair of ids is a range. */
function header(...ids: (number | [number, number])[]): string {
  let last = 0;
  const items = ids.map((item) => {
    const [from, to] = typeof item === 'number' ? [item, item] : item;
    const start = fibonacci(from - last);
    last = to;
    return typeof item === 'number' ? `0${start}` : `1${start}${fibonacci(to - from)}`;
  });
  return base64(number(3, 6) + number(1, 6) + number(ids.length, 12) + items.join(''));
}

/** A section of the USA: its version, then fields of two bits (0 does not apply, 1 yes, 2 no). */
function usa(...fields: number[]): string {
  return base64(number(1, 6) + [...fields, 0, 0, 0, 0].map((field) => number(field, 2)).join(''));
}

/** A TCF 2 core that consents to purposes 1 and 7, for vendor 7 only. */
const consent = Buffer.from(
  `${number(2, 6).padEnd(152, '0')}100000100000000000000000`
    .padEnd(213, '0')
    .concat(number(7, 16), '0', '0000001')
    // No legitimate interests, and no restrictions of the publisher.
    .concat(number(0, 17), number(0, 12))
    .match(/.{1,8}/g)!
    .map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)),
).toString('base64url');

/** A segment of disclosed vendors with one of them. */
const disclosed = (vendor: number) =>
  base64(number(1, 3) + number(vendor, 16) + '0' + '1'.padStart(vendor, '0'));

const free = usa(1, 1, 1, 1, 1, 1, 2, 2, 2);

test.each<[string, string, number[], boolean]>([
  ['no section applies', `${header(7)}~${usa(1, 1, 1, 1, 1, 1, 1, 1, 1)}`, [], true],
  ['it is said that none applies', '', [-1], true],
  ['nothing is opted out of', `${header(7)}~${free}`, [7], true],
  ['a section that does not apply is opted out', `${header(7, 9)}~${free}~${usa(1, 1, 1, 1, 1)}`, [7], true],
  ['sale, nationally', `${header(7)}~${usa(1, 1, 1, 1, 1, 1, 1, 2, 2)}`, [7], false],
  ['sharing, nationally', `${header(7)}~${usa(1, 1, 1, 1, 1, 1, 2, 1, 2)}`, [7], false],
  ['targeted ads, nationally', `${header(7)}~${usa(1, 1, 1, 1, 1, 1, 2, 2, 1)}`, [7], false],
  ['sale, in California', `${header(8)}~${usa(1, 1, 1, 1, 2)}`, [8], false],
  ['sharing, in California', `${header(8)}~${usa(1, 1, 1, 2, 1)}`, [8], false],
  ['nothing, in California', `${header(8)}~${usa(1, 1, 1, 2, 2)}`, [8], true],
  ['targeted ads, in Utah', `${header(11)}~${usa(1, 1, 1, 1, 2, 1)}`, [11], false],
  ['nothing, in Iowa', `${header(18)}~${usa(1, 1, 1, 1, 2, 2)}`, [18], true],
  ['sale, in Texas', `${header(16)}~${usa(1, 1, 1, 1, 2)}`, [16], false],
  ['the second of a range', `${header([8, 9])}~${usa(1, 1, 1, 2, 2)}~${usa(1, 1, 1, 2, 1)}`, [8, 9], false],
  [
    'none of a range',
    `${header([8, 10])}~${usa(1, 1, 1, 2, 2)}~${usa(1, 1, 1, 2, 2)}~${usa()}`,
    [8, 9],
    true,
  ],
  ['by a signal of the device', `${header(7)}~${free}.${base64('011')}`, [7], false],
  ['not by a signal of the device', `${header(7)}~${free}.${base64('010')}`, [7], true],
  ['with the padding of other encodings', `${header(7)}~${usa(1, 1, 1, 1, 1, 1, 1, 1, 1)}=`, [7], false],
  ['in a text that is no base64', `${header(7)}~no section!`, [7], false],
  ['in a section that was cut off', `${header(7)}~${free.slice(0, 3)}`, [7], false],
  ['in a section of an unknown version', `${header(7)}~${base64(number(3, 6) + '0'.repeat(40))}`, [7], false], // prettier-ignore
  ['by an invalid value', `${header(7)}~${usa(1, 1, 1, 1, 1, 1, 3, 2, 2)}`, [7], false],
  ['by a signal that cannot be read', `${header(7)}~${free}.${base64('011')}=`, [7], false],
  ['by an empty segment', `${header(7)}~${free}.`, [7], false],
  ['with more segments than there are', `${header(7)}~${free}${`.${base64('010')}`.repeat(9)}`, [7], false],
  ['by a US Privacy String', `${header(6)}~1YYN`, [6], false],
  ['not by a US Privacy String', `${header(6)}~1YNN`, [6], true],
  ['by an invalid US Privacy String', `${header(6)}~2YNN`, [6], false],
  ['consent in Europe', `${header(2, 7)}~${consent}~${free}`, [2, 7], true],
  ['no consent in Europe', `${header(2)}~${base64(number(2, 6))}`, [2], false],
  ['a section that is not there', `${header(7)}~${free}`, [8], false],
  ['an unknown section', `${header(99)}~${free}`, [99], false],
  ['Canada with a section of the USA', `${header(5)}~${free}`, [5], false],
  ['a string of consent in place of the header', consent, [2], false],
  [
    'a header of another version',
    `${base64(number(3, 6) + number(2, 6) + number(1, 12) + '000011')}~${consent}`,
    [2],
    false,
  ],
  ['consent in Europe to a vendor that was disclosed', `${header(2)}~${consent}.${disclosed(7)}`, [2], true],
  [
    'consent in Europe to a vendor that was not disclosed',
    `${header(2)}~${consent}.${disclosed(6)}`,
    [2],
    false,
  ],
  ['no such string', 'not a string of this kind', [7], false],
  ['none at all', '', [7], false],
])('%s', (_what, gpp, applying, allowed) => {
  expect(allowedBy(gpp, applying, 7)).toBe(allowed);
});

test("the vendor's consent is required where the European framework applies", () => {
  const gpp = `${header(2)}~${consent}`;
  expect([7, 8, null].map((vendorId) => allowedBy(gpp, [2], vendorId))).toEqual([true, false, false]);
});

test('any string gets an answer', () => {
  const text = fc.array(fc.oneof(fc.string(), fc.base64String()), { maxLength: 4 });
  fc.assert(
    fc.property(text, fc.array(fc.integer()), (parts, applying) => {
      expect(typeof allowedBy(parts.join('~'), applying, 7)).toBe('boolean');
    }),
  );
});
