import type { SubRegion } from '@bidwell/contract/reference';

/** A country of the reference list. */
export type Country = SubRegion['countries'][number];

/** A country's code as it is shown: of two letters, or of three where it has none. */
export function shownCode({ code, code2 }: Country): string {
  return code2 || code;
}

/** The sub-regions with those of their countries whose name, code or code2 holds the text; case is ignored. */
export function searchCountries(subRegions: readonly SubRegion[], text: string): SubRegion[] {
  const wanted = text.trim().toLowerCase();
  return subRegions
    .map(({ name, countries }) => ({
      name,
      countries: countries.filter((country) =>
        [country.name, country.code, country.code2].some((field) => field.toLowerCase().includes(wanted)),
      ),
    }))
    .filter(({ countries }) => countries.length > 0);
}

/** Whether all, some or none of some countries are chosen. */
export function share(countries: readonly Country[], chosen: ReadonlySet<string>): 'all' | 'some' | 'none' {
  const count = countries.filter(({ code2 }) => chosen.has(code2)).length;
  if (count === 0) return 'none';
  return count === countries.length ? 'all' : 'some';
}
