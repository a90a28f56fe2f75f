import type { SubRegion } from '@bidwell/contract/reference/schema';

/** A country of the reference list. */
export type Country = SubRegion['countries'][number];

/** The displayed country code: two letters, or three without a two-letter code. */
export function shownCode({ code, code2 }: Country): string {
  return code2 || code;
}

/** The sub-regions with their countries whose name or code contains the text, without regard to case. */
export function searchCountries(subRegions: readonly SubRegion[], text: string): SubRegion[] {
  const searched = text.trim().toLowerCase();
  return subRegions
    .map(({ name, countries }) => ({
      name,
      countries: countries.filter((country) =>
        [country.name, country.code, country.code2].some((field) => field.toLowerCase().includes(searched)),
      ),
    }))
    .filter(({ countries }) => countries.length > 0);
}

/** Whether all, some or none of the countries are selected. */
export function selectionState(
  countries: readonly Country[],
  selected: ReadonlySet<string>,
): 'all' | 'some' | 'none' {
  const count = countries.filter(({ code2 }) => selected.has(code2)).length;
  if (count === 0) return 'none';
  return count === countries.length ? 'all' : 'some';
}

/** The two-letter codes of the countries in which most campaigns run. */
const COMMON = [
  'US',
  'GB',
  'CA',
  'DE',
  'FR',
  'JP',
  'KR',
  'BR',
  'IN',
  'AU',
  'MX',
  'IT',
  'ES',
  'NL',
  'SE',
  'TR',
  'ID',
  'TW',
] as const;

/**
 * The first countries of a list: the ones that the company targets already (`used`, two-letter codes, the most used
 * first), and common ones. A country is in the first group that it fits. Pure.
 */
export function firstCountries(
  subRegions: readonly SubRegion[],
  used: readonly string[],
): { name: string; countries: Country[] }[] {
  const countries = new Map(
    subRegions.flatMap((region) => region.countries).map((country) => [country.code2, country]),
  );
  const known = (codes: readonly string[]) => codes.flatMap((code) => countries.get(code) ?? []);
  return [
    { name: 'In your targets', countries: known(used) },
    { name: 'Common', countries: known(COMMON.filter((code) => !used.includes(code))) },
  ].filter((group) => group.countries.length > 0);
}
