import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hash64 } from './hash-64.ts';

test.each(['md5', 'sha1', 'sha256', 'blake2b512'])('it is the first eight bytes of %s', (algorithm) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const bytes = createHash(algorithm).update(text).digest();
      const expected = { high: bytes.readUInt32BE(0), low: bytes.readUInt32BE(4) };
      expect(hash64(algorithm, text)).toEqual(expected);
      expect(hash64(algorithm, Buffer.from(text))).toEqual(expected);
    }),
  );
});
