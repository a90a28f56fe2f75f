import fc from 'fast-check';
import { expect, test } from 'vitest';
import { versionOf } from './version.ts';

const all = { ignoring: [] };

test('the version is FNV-1a of the entity as canonical JSON', () => {
  const bigPrime = (text: string) => {
    let hash = 0xcbf29ce484222325n;
    for (const byte of new TextEncoder().encode(text))
      hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
    return hash.toString(16).padStart(16, '0');
  };
  expect(versionOf(all, { b: [1, 'ü'], a: { d: null, c: 0.5 } })).toBe(
    bigPrime('{"a":{"c":0.5,"d":null},"b":[1,"ü"]}'),
  );
});

test('the order of fields does not matter, their values do, and ignored ones do not', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (fields, value) => {
      const reversed = Object.fromEntries(Object.entries(fields).reverse());
      expect(versionOf(all, reversed)).toBe(versionOf(all, fields));
      expect(versionOf({ ignoring: ['spend'] }, { ...fields, spend: value })).toBe(
        versionOf({ ignoring: ['spend'] }, fields),
      );
      expect(versionOf(all, { ...fields, name: [value] })).not.toBe(
        versionOf(all, { ...fields, name: [[value]] }),
      );
    }),
  );
});

test('a field that is undefined is absent, as in JSON', () => {
  expect(versionOf(all, { a: 1, b: undefined })).toBe(versionOf(all, { a: 1 }));
});
