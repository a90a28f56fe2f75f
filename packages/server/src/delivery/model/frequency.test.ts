import fc from 'fast-check';
import { expect, test } from 'vitest';
import { subjectOf } from './frequency.ts';

// Files and messages of earlier releases have these digests.
test('the digest of a UUID is its first half, exclusive or its second one', () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex');
      const word = (at: number) => bytes.readUInt32BE(at);
      expect(subjectOf(uuid)).toEqual({ high: (word(0) ^ word(8)) >>> 0, low: (word(4) ^ word(12)) >>> 0 });
    }),
  );
});
