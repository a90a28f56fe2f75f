import { expect, test } from 'vitest';
import { withSearch } from './search-history.ts';

test('a history holds the last ten searches, newest first, each once in any case', () => {
  const searches = Array.from({ length: 12 }, (_, index) => `search ${index + 1}`);
  const history = searches.reduce<readonly string[]>(withSearch, []);
  expect(history).toHaveLength(10);
  expect(history[0]).toBe('search 12');
  expect(history.at(-1)).toBe('search 3');
  expect(withSearch(history, '  SEARCH 5 ')).toEqual([
    'SEARCH 5',
    ...history.filter((item) => item !== 'search 5'),
  ]);
});

test('a blank search and a single letter are not remembered', () => {
  expect(withSearch(['banner'], '   ')).toEqual(['banner']);
  expect(withSearch(['banner'], 'b')).toEqual(['banner']);
});
