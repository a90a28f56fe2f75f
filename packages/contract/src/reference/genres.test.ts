import { expect, test } from 'vitest';
import { GENRES, genresOf } from './genres.ts';
import { isIabCategory } from './iab-categories.ts';

test('genres have unique names and categories of the taxonomy', () => {
  expect(new Set(GENRES.map((genre) => genre.name)).size).toBe(GENRES.length);
  for (const { iab } of GENRES) {
    expect(iab.length).toBeGreaterThan(0);
    expect(iab.filter((category) => !isIabCategory(category))).toEqual([]);
  }
});

test('the game genres of both stores exist', () => {
  const names = GENRES.map((genre) => genre.name);
  const games =
    'Action,Adventure,Arcade,Board,Card,Casino,Casual,Educational,Family,Music,Puzzle,Racing,Role Playing,Simulation,Sports,Strategy,Trivia,Word';
  for (const game of games.split(',')) expect(names).toContain(`Games: ${game}`);
});

test.each([
  [['IAB9-30'], 'Games', 'Games: Card'],
  [['IAB9-25'], 'Games: Role Playing', 'Games: Racing'],
  [['IAB9-5'], 'Games: Puzzle', 'Games: Role Playing'],
  [['IAB14-1'], 'Dating', 'Social'],
  [['IAB20-18'], 'Travel', 'Games'],
  [['IAB24', 'IAB8-5'], 'Food & Drink', 'Games'],
])('%o is %s and not %s', (categories, genre, other) => {
  expect(genresOf(categories)).toContain(genre);
  expect(genresOf(categories)).not.toContain(other);
});

test('an unknown category has no genre', () => {
  expect(genresOf(['IAB99', 'IAB99-1', '', 'games'])).toEqual(new Set());
});
