import { expect, test } from 'vitest';
import { lruCache } from './lru-cache.ts';

test('a cache holds its number of entries, and evicts the least recently used', () => {
  const cache = lruCache<string, number>(3);
  for (const [index, key] of ['a', 'b', 'c'].entries()) cache.set(key, index);
  cache.get('a');
  cache.set('d', 3);
  cache.set('c', 4);
  expect(Object.fromEntries(cache.entries())).toEqual({ a: 0, c: 4, d: 3 });
  cache.delete('a');
  cache.set('e', 5);
  expect([...cache.keys()].sort()).toEqual(['c', 'd', 'e']);
});
