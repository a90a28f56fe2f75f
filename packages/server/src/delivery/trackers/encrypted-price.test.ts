import { expect, test } from 'vitest';
import { encryptedPrice } from './encrypted-price.ts';
import { decryptGooglePrice } from './price.ts';

const keys = { encryption: Buffer.alloc(32, 1), integrity: Buffer.alloc(32, 2) };

test.each([0, 1, 1900, 2_000_000, 5_000_000_000])(
  'a price of %i micros is encrypted, and read again',
  (micros) => {
    expect(decryptGooglePrice(encryptedPrice(micros, keys), keys)).toBe(micros);
  },
);
