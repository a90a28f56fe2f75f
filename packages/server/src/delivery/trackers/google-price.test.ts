import { expect, test } from 'vitest';
import { decryptGooglePrice } from './price.ts';

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
