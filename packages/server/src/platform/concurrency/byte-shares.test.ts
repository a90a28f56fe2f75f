import { expect, test } from 'vitest';
import { ByteShares } from './byte-shares.ts';

test('beyond its share a key has to wait, and the others have room', () => {
  const shares = new ByteShares();
  expect([shares.add('a', 60, 100), shares.add('a', 60, 100), shares.add('b', 60, 100)]).toEqual([
    true,
    false,
    true,
  ]);
  shares.remove('a', 60);
  expect([shares.has('a'), shares.add('a', 100, 100), shares.has('a')]).toEqual([false, true, true]);
  shares.clear();
  expect(shares.add('a', 100, 100)).toBe(true);
});

test('removing bytes that were never added takes no room of later bytes', () => {
  const shares = new ByteShares();
  shares.remove('a', 80);
  expect([shares.add('a', 100, 100), shares.add('a', 1, 100)]).toEqual([true, false]);
});
