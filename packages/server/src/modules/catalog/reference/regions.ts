import { ENGLISH_REGIONS } from '@bidwell/contract/reference/english-places';
import type { Region } from '@bidwell/contract/reference/schema';
import { foldedName } from '@bidwell/contract/targets/place-values';
import { iso31662 } from 'iso-3166';

const collator = new Intl.Collator('en');
const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** The regions of ISO 3166-2, by country and sorted by their English names. */
const byCountry = new Map<string, Region[]>();
for (const { code, parent, name } of iso31662) {
  const country = code.slice(0, 2);
  const [english] = ENGLISH_REGIONS.get(code) ?? [];
  const region: Region = {
    value: code,
    name,
    ...(english !== undefined && english !== name && { english }),
    country,
    parent: parent === country ? null : parent,
  };
  const known = byCountry.get(country);
  if (known) known.push(region);
  else byCountry.set(country, [region]);
}
const shownName = ({ english, name }: Region): string => english ?? name;
for (const list of byCountry.values())
  list.sort((a, b) => collator.compare(shownName(a), shownName(b)) || collator.compare(a.name, b.name));

/** All regions. */
export const regions: readonly Region[] = [...byCountry.values()].flat();

/** The regions of countries by their two-letter codes. */
export function regionsOf(countries: readonly string[]): Region[] {
  return countries.flatMap((country) => byCountry.get(country) ?? []);
}

/** The texts by which a search finds each region: names and codes of the region and its country. Built at the first search. */
let searched: readonly { region: Region; text: string }[] | undefined;

/** The first regions that have all words of a text in their names or codes: the region of that code, then by country and name. */
export function searchRegions(text: string, among: readonly Region[], max: number): Region[] {
  searched ??= regions.map((region) => ({
    region,
    text: foldedName(
      [
        region.name,
        ...(ENGLISH_REGIONS.get(region.value) ?? []),
        region.value,
        countryNames.of(region.country) ?? '',
        region.country,
      ].join(' '),
    ),
  }));
  const words = foldedName(text).split(' ').filter(Boolean);
  const allowed = among === regions ? null : new Set(among);
  const code = text.trim().toUpperCase();
  const found = among.filter(({ value }) => value === code);
  for (const { region, text: own } of searched) {
    if (found.length >= max) break;
    if (region.value === code || (allowed && !allowed.has(region))) continue;
    if (words.every((word) => own.includes(word))) found.push(region);
  }
  return found;
}
