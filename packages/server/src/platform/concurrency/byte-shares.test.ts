import { expect, test } from 'vitest';
import { ByteShares } from './byte-shares.ts';

test('beyond its share a key has to wait, and the others have room', () => {
  const shares = new ByteShares(100);
  expect([shares.add('a', 60), shares.add('a', 60), shares.add('b', 60)]).toEqual([true, false, true]);
  shares.remove('a', 60);
  expect(shares.add('a', 100)).toBe(true);
});

test('what was never added takes no room of what is added later', () => {
  const shares = new ByteShares(100);
  shares.remove('a', 80);
  expect([shares.add('a', 100), shares.add('a', 1)]).toEqual([true, false]);
});
