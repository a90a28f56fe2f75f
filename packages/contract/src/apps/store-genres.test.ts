import { expect, test } from 'vitest';
import { GENRES } from '../reference/genres.ts';
import { genresOfStore } from './store-genres.ts';

test.each([
  ['Puzzle', ['Games', 'Games: Puzzle']],
  ['GAME_ROLE_PLAYING', ['Games', 'Games: Role Playing']],
  ['games', ['Games']],
  ['7012', ['Games', 'Games: Puzzle']],
  ['6015', ['Finance']],
  ['HEALTH_AND_FITNESS', ['Health & Fitness']],
  ['Music', ['Music']],
  ['photo & video', ['Photo & Video']],
  ['IAB1', []],
  ['', []],
  ['constructor', []],
])('%j is %j', (text, genres) => {
  expect(genresOfStore(text)).toEqual(genres);
});

test('every genre is found by its own name', () => {
  for (const { name } of GENRES) expect(genresOfStore(name)).toContain(name);
});
