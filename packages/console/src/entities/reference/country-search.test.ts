import { expect, test } from 'vitest';
import { firstCountries, searchCountries, selectionState, shownCode } from './country-search.ts';

const country = (name: string, code: string, code2: string, id: number) => ({ id, name, code, code2 });
const germany = country('Germany', 'DEU', 'DE', 276);
const austria = country('Austria', 'AUT', 'AT', 40);
const denmark = country('Denmark', 'DNK', 'DK', 208);
const regions = [
  { name: 'Western Europe', countries: [austria, germany] },
  { name: 'Northern Europe', countries: [denmark] },
];
const found = (text: string) =>
  searchCountries(regions, text).flatMap(({ countries }) => countries.map(({ name }) => name));

test.each([
  ['', ['Austria', 'Germany', 'Denmark']],
  ['germ', ['Germany']],
  [' GERM ', ['Germany']],
  ['dk', ['Denmark']],
  ['deu', ['Germany']],
  ['De', ['Germany', 'Denmark']],
  ['Western', []],
  ['(', []],
])('a search for "%s"', (text, names) => {
  expect(found(text)).toEqual(names);
});

test('a region is selected whole, in part or not at all', () => {
  const western = [austria, germany];
  expect(selectionState(western, new Set())).toBe('none');
  expect(selectionState(western, new Set(['DE', 'DK']))).toBe('some');
  expect(selectionState(western, new Set(['DE', 'AT']))).toBe('all');
});

test('a code of two letters is shown, else the one of three', () => {
  expect(shownCode(germany)).toBe('DE');
  expect(shownCode({ ...germany, code2: '' })).toBe('DEU');
});

test('a list begins with the company’s own countries, the most used first, then with common ones', () => {
  const names = (used: string[]) =>
    firstCountries(regions, used).map(({ name, countries }) => [name, countries.map(({ code2 }) => code2)]);
  expect(names(['DK', 'AT'])).toEqual([
    ['In your targets', ['DK', 'AT']],
    ['Common', ['DE']],
  ]);
  expect(names([])).toEqual([['Common', ['DE']]]);
  expect(names(['DE', 'XX'])).toEqual([['In your targets', ['DE']]]);
});
