import type { Region } from '@bidwell/contract/reference/schema';
import { iso31662 } from 'iso-3166';

const collator = new Intl.Collator('en');

/** The regions of ISO 3166-2, by country and sorted by name. */
const byCountry = new Map<string, Region[]>();
for (const { code, parent, name } of iso31662) {
  const country = code.slice(0, 2);
  const region: Region = { value: code, name, country, parent: parent === country ? null : parent };
  const known = byCountry.get(country);
  if (known) known.push(region);
  else byCountry.set(country, [region]);
}
for (const list of byCountry.values()) list.sort((a, b) => collator.compare(a.name, b.name));

/** All regions. */
export const regions: readonly Region[] = [...byCountry.values()].flat();

/** The regions of countries by their two-letter codes. */
export function regionsOf(countries: readonly string[]): Region[] {
  return countries.flatMap((country) => byCountry.get(country) ?? []);
}
