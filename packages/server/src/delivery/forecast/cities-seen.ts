import { addToSum } from '../../platform/group-by.ts';
import { cityOfKey } from '../matching/place-keys.ts';
import type { SampleColumns } from './columns.ts';

/** Cities that are named at most. */
const CITIES_MAX = 500;
/** A city in fewer requests of the sample is not named: hardly anyone would target it. */
const REQUESTS_MIN = 3;

/** The cities that requests of a sample name, the most frequent first. Reads the whole sample. Pure. */
export function citiesIn(columns: SampleColumns): string[] {
  const requests = new Map<number, number>();
  const weights = new Map<number, number>();
  for (const chunk of columns.chunks)
    for (let row = 0; row < chunk.size; row += 1) {
      const code = chunk.city[row]!;
      if (code === 0) continue;
      addToSum(requests, code, 1);
      addToSum(weights, code, chunk.weight[row]!);
    }
  const cities = new Map<string, number>();
  for (const [code, weight] of weights) {
    const city = cityOfKey(columns.city.values[code]![0] ?? '');
    if (!city || requests.get(code)! < REQUESTS_MIN) continue;
    addToSum(cities, city, weight);
  }
  return [...cities].toSorted((a, b) => b[1] - a[1]).map(([city]) => city);
}

/** The first of {@link citiesIn}, in the countries or in all. */
export function citiesOf(cities: readonly string[], countries: readonly string[] | undefined): string[] {
  const named = countries ? cities.filter((city) => countries.includes(city.slice(0, 2))) : cities;
  return named.slice(0, CITIES_MAX);
}
