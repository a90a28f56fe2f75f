import { foldedName } from '@bidwell/contract/targets/place-values';
import type { TargetValues } from './target-values.ts';

/** A circle in the form, whose numbers are null until they are filled in. */
export type CircleValues = TargetValues['radius_include'][number];

/** The coordinates in a text such as `52.52, 13.40`, as maps copy them; both null for anything else. Pure. */
export function parseCoordinates(text: string): Pick<CircleValues, 'lat' | 'lon'> {
  const [lat = NaN, lon = NaN, ...others] = text
    .replaceAll(/[()°]/g, ' ')
    .split(/[\s,;]/)
    .filter((part) => part !== '')
    .map(Number);
  return Number.isFinite(lat) && Number.isFinite(lon) && others.length === 0
    ? { lat, lon }
    : { lat: null, lon: null };
}

/** Coordinates as the form shows them; '' while they are not filled in. Pure. */
export const coordinatesText = ({ lat, lon }: CircleValues): string =>
  lat === null || lon === null ? '' : `${lat}, ${lon}`;

/**
 * Cities or postal codes, to which a country is added where they name none: the one of the target or, in a target of several or all
 * countries, the one that the other values have. Pure.
 */
export function withCountry(values: readonly string[], countries: readonly string[]): string[] {
  const named = values
    .filter((value) => value.includes(':'))
    .map((value) => value.slice(0, value.indexOf(':')));
  const [country, ...others] = countries.length === 1 ? countries : new Set(named);
  if (country === undefined || others.length > 0) return [...values];
  return values.map((value) => (value.includes(':') ? value : `${country}:${value}`));
}

/** The characters at which an entry of a list ends that is typed or pasted. */
export const SPLIT_CHARS = [',', ';', '\n', '\r', '\t'];
const ENTRY_END = new RegExp(`[${SPLIT_CHARS.join('')}]`);

/**
 * Entries with each list in them split, each entry once: keyboards of phones report no key, and a text that is left in the field is one
 * entry otherwise. `known` entries stay whole: those that were there before, and suggestions. Pure.
 */
export function splitEntries(entries: readonly string[], known: readonly string[]): string[] {
  const parts = entries.flatMap((entry) => (known.includes(entry) ? [entry] : entry.split(ENTRY_END)));
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))];
}

/** Cities, of which a name without a country is the suggestion that has it, where only one has. Pure. */
export function asSuggested(entries: readonly string[], suggestions: readonly string[]): string[] {
  return entries.map((entry) => {
    if (entry.includes(':')) return entry;
    const typed = foldedName(entry);
    const found = suggestions.filter((city) => foldedName(city.slice(city.indexOf(':') + 1)) === typed);
    if (found.length === 1) return found[0]!;
    const containing = suggestions.filter((city) => foldedName(city).includes(typed));
    return containing.length === 1 ? containing[0]! : entry;
  });
}
