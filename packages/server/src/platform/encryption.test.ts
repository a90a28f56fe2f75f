import { expect, test } from 'vitest';
import { EncryptionKeyMissing, createEncryption } from './encryption.ts';

const [first, second] = [
  'the first key with 32 characters or more',
  'the second key with 32 characters or more',
];
const place = { table: 'operators', column: 'totp_secret', row: 'a' };

test('a value is read in its own place only, and only unchanged', () => {
  const encryption = createEncryption([first]);
  const stored = encryption.encrypt('JBSWY3DPEHPK3PXP', place);
  expect(stored).toMatch(/^enc:1:[\da-f]{12}:[\w-]+$/);
  expect(encryption.decrypt(stored, place)).toBe('JBSWY3DPEHPK3PXP');
  for (const other of [
    { ...place, row: 'b' },
    { ...place, column: 'name' },
    { ...place, table: 'ssps' },
  ])
    expect(() => encryption.decrypt(stored, other)).toThrow();
  const last = stored.at(-2) === 'A' ? 'B' : 'A';
  expect(() => encryption.decrypt(`${stored.slice(0, -2)}${last}${stored.at(-1)}`, place)).toThrow();
  expect(encryption.encrypt('JBSWY3DPEHPK3PXP', place)).not.toBe(stored);
});

test('the first key encrypts, all keys decrypt, and a missing one is named', () => {
  const old = createEncryption([first]);
  const both = createEncryption([second, first]);
  const stored = old.encrypt('secret', place);
  expect(both.decrypt(stored, place)).toBe('secret');
  expect(both.keyIdOf(both.encrypt('secret', place))).toBe(both.currentKeyId);
  const only = createEncryption([second]);
  expect(() => only.decrypt(stored, place)).toThrow(EncryptionKeyMissing);
  expect(() => only.decrypt(stored, place)).toThrow(`encrypted with the key ${old.currentKeyId}, which this`);
});

test('a value of an earlier release is plain text', () => {
  const encryption = createEncryption([first]);
  expect(encryption.decrypt('JBSWY3DPEHPK3PXP', place)).toBe('JBSWY3DPEHPK3PXP');
  expect(encryption.keyIdOf('JBSWY3DPEHPK3PXP')).toBeNull();
});
