import { firstNames } from '../lib/first-names.ts';
import { parseCity, parsePostalPrefix } from './place-values.ts';

/** The lists of a target that say in which countries its places are. */
type PlaceLists = Readonly<
  Record<
    'location_include' | 'location_exclude' | 'region_include' | 'city_include' | 'postal_include',
    readonly string[]
  >
>;

/** The include lists of places, what is in them, and the country of an entry. */
const LISTS = [
  ['location_include', 'countries', (code: string) => code],
  ['region_include', 'regions', (code: string) => code.split('-', 1)[0]],
  ['city_include', 'cities', (city: string) => parseCity(city)?.country],
  ['postal_include', 'postal codes', (code: string) => parsePostalPrefix(code)?.country],
] as const;

/** Countries that a message names at most. */
const NAMED_MAX = 3;

/** A list of places that cannot match together with the others of a target. */
export interface ApartPlaces {
  field: 'region_include' | 'city_include' | 'postal_include';
  message: string;
}

/**
 * The first list of places that has no country in common with the lists before it, or only countries that the target excludes: a place has to
 * be in all lists, so that no bid could match. Null where the lists can match together. Pure.
 */
export function apartPlaces(target: PlaceLists): ApartPlaces | null {
  const excluded = new Set(target.location_exclude);
  const before: { words: string; countries: ReadonlySet<string> }[] = [];
  let common: ReadonlySet<string> | null = null;
  for (const [field, words, countryOf] of LISTS) {
    const countries = new Set(target[field].flatMap((value) => countryOf(value) ?? []));
    if (countries.size === 0) continue;
    const left: ReadonlySet<string> = new Set(
      [...countries].filter((country) => !excluded.has(country) && (common?.has(country) ?? true)),
    );
    if (left.size === 0 && field !== 'location_include') {
      const named = `The ${words} are of ${firstNames([...countries], NAMED_MAX)}`;
      if ([...countries].every((country) => excluded.has(country)))
        return { field, message: `${named}, which the target excludes: no place can match` };
      const other = before.find((list) => [...countries].every((country) => !list.countries.has(country)));
      const apart = other ? `and the ${other.words} of ${firstNames([...other.countries], NAMED_MAX)}` : '';
      return {
        field,
        message: `${named}${apart && `, ${apart}`}. A place has to be in every list, and no country is in all of them`,
      };
    }
    common = left;
    before.push({ words, countries });
  }
  return null;
}
