import { expect, test } from 'vitest';
import { markGroups } from './mark-groups.ts';

const points = ['01', '02', '03', '04'].map((day) => ({ starts_at: `2026-05-${day}T00:00:00.000Z` }));
const change = (uuid: string, day: string) => ({ uuid, created_at: `2026-05-${day}:00:00.000Z` });

test('changes of one day share a mark, and days that are too close to each other do', () => {
  // Newest first, as they are listed.
  const changes = [change('d', '04T01'), change('c', '02T09'), change('b', '01T23'), change('a', '01T00')];
  const uuidsOf = (xs: readonly number[]) =>
    markGroups(changes, points, xs).map(({ x, indexes, changes: own }) => [
      x,
      indexes,
      own.map(({ uuid }) => uuid),
    ]);
  expect(uuidsOf([10, 110, 210, 310])).toEqual([
    [10, [0], ['b', 'a']],
    [110, [1], ['c']],
    [310, [3], ['d']],
  ]);
  expect(uuidsOf([10, 30, 50, 70])).toEqual([
    [10, [0, 1], ['c', 'b', 'a']],
    [70, [3], ['d']],
  ]);
});

test('a change before the chart has no mark', () => {
  expect(markGroups([{ created_at: '2026-04-30T23:59:59.000Z' }], points, [0, 100, 200, 300])).toEqual([]);
});
