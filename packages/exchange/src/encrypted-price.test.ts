import { expect, test } from 'vitest';
import { encryptedPrice } from './encrypted-price.ts';

/** The keys and the price of the protocol's own example. */
const keys = {
  encryption: Buffer.from('skU7Ax_NL5pPAFyKdkfZjZz2-VhIN8bjj1rVFOaJ_5o=', 'base64url'),
  integrity: Buffer.from('arO23ykdNqUQ5LEoQ0FVmPkBd7xB5CO89PDZlSjpFxo=', 'base64url'),
};

test('a price is encrypted as in the example of the protocol', () => {
  expect(encryptedPrice(1900, keys, Buffer.from('abc123def456ghi7'))).toBe(
    'YWJjMTIzZGVmNDU2Z2hpN7fhCuPemCAWJRxOgA',
  );
});

test('each price has its own vector', () => {
  expect(encryptedPrice(1900, keys)).not.toBe(encryptedPrice(1900, keys));
});
