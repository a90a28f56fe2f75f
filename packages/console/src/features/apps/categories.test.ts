import { IAB_CATEGORIES } from '@bidwell/contract/reference/iab-categories';
import { expect, test } from 'vitest';
import { groupCategories } from './categories.ts';

test('categories begin with the ones of the company’s apps, then games and other common ones', () => {
  const [own, common, ...others] = groupCategories(IAB_CATEGORIES, ['IAB13-5', 'IAB9-30']);
  expect(own).toEqual({
    group: 'In your apps',
    items: [
      { value: 'IAB13-5', label: 'Hedge Fund' },
      { value: 'IAB9-30', label: 'Video & Computer Games' },
    ],
  });
  expect(common!.group).toBe('Common for apps');
  expect(common!.items.slice(0, 4).map(({ label }) => label)).toEqual([
    'Board Games/Puzzles',
    'Card Games',
    'Roleplaying Games',
    'Shopping',
  ]);
  const names = others.map(({ group }) => group);
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b)));
});

test('a category is offered once, and every one is offered', () => {
  const offered = groupCategories(IAB_CATEGORIES, ['IAB9-30', 'IAB22']).flatMap(({ items }) => items);
  expect(offered.map(({ value }) => value).toSorted()).toEqual(
    IAB_CATEGORIES.map(({ value }) => value).toSorted(),
  );
});

test('a first tier comes before its parts, which are sorted by name', () => {
  const groups = groupCategories(IAB_CATEGORIES, []);
  const automotive = groups.find(({ group }) => group === 'Automotive')!;
  expect(automotive.items.slice(0, 3).map(({ label }) => label)).toEqual([
    'Automotive',
    'Auto Parts',
    'Auto Repair',
  ]);
  expect(groups[0]!.group).toBe('Common for apps');
  expect(groups[0]!.items[0]!.label).toBe('Video & Computer Games');
});
