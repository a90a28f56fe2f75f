import { CITIES_WITH_NAMES, ENGLISH_REGIONS } from '@bidwell/contract/reference/english-places';
import {
  foldedName,
  cityText,
  networkCodeOf,
  parseCity,
  parsePostalPrefix,
  postalCodeOf,
} from '@bidwell/contract/targets/place-values';
import { iso31662 } from 'iso-3166';
import { memoizeText } from '../../platform/memoize-text.ts';
import type { IncludeExclude } from '../model/candidate.ts';
import { countryCodeOf } from '../model/country.ts';
import type { ParsedDevice } from '../model/bid-request.ts';

/*
 * Regions, cities, postal codes and carriers of requests and of targets in one spelling, as keys that are compared. A request has every
 * key that a target could name for its place. A key with `?` stands for what a request does not say; only exclude lists have such keys, so
 * that an excluded place gets no bid where the request leaves its region or country open.
 */

/** The region that contains a region, by ISO 3166-2 codes; a country for the regions of the highest level. */
const parents = new Map<string, string>();
/** Codes of regions by their country and folded name; '' for a name that several have. */
const byName = new Map<string, string>();
for (const { code, parent, name } of iso31662) {
  parents.set(code, parent);
  const key = `${code.slice(0, 2)}|${foldedName(name)}`;
  byName.set(key, byName.has(key) ? '' : code);
}
// A local name before an English one.
for (const [code, names] of ENGLISH_REGIONS)
  for (const name of names) {
    const key = `${code.slice(0, 2)}|${foldedName(name)}`;
    if (!byName.has(key)) byName.set(key, code);
  }

/** The folded English names of cities by their country and folded other name, and of any country under ''. */
const englishCities = new Map<string, string>();
for (const { country, names } of CITIES_WITH_NAMES) {
  const [english = '', ...others] = names.map(foldedName);
  for (const name of others)
    for (const of of [country, '']) if (name !== english) englishCities.set(`${of}|${name}`, english);
}

/** The folded name of a city in a country, the English one where it has several. '' as the country for one that is not known. */
export const cityNameIn = (country: string, folded: string): string =>
  englishCities.get(`${country}|${folded}`) ?? folded;

/**
 * The ISO 3166-2 code of a region in the forms that exchanges send: `CA`, `ca`, `US-CA`, `USA-CA`, `13` for JP-13, `IDF`, `California`. ''
 * where neither it nor the request names a country. A code that is not in the list stays, since exchanges also send older ones.
 */
export function regionOf(country: string, region: string): string {
  const text = region.trim().toUpperCase();
  const match = /^([A-Z]{2,3})[-_](.+)$/.exec(text);
  const named = match ? countryCodeOf(match[1]!) : '';
  const [of, code] = named === '' ? [country, text] : [named, match![2]!];
  if (of === '' || code === '') return '';
  for (const one of [`${of}-${code}`, `${of}-${code.padStart(2, '0')}`]) if (parents.has(one)) return one;
  const known = byName.get(`${of}|${foldedName(code)}`);
  if (known) return known;
  return /^[A-Z\d]{1,3}$/.test(code) ? `${of}-${code}` : '';
}

/** A region and the regions that contain it. */
function withParents(region: string): readonly string[] {
  const found: string[] = [];
  for (let at = region; at.includes('-'); at = parents.get(at) ?? '') found.push(at);
  return found;
}

/** Memoises a function of a country and a text of a request. */
function ofCountry(compute: (country: string, text: string) => readonly string[]) {
  const memo = memoizeText((key) => {
    const at = key.indexOf('\n');
    return compute(key.slice(0, at), key.slice(at + 1));
  });
  return (country: string, text: string) => memo(`${country}\n${text}`);
}

const NONE: readonly string[] = [];
const NO_KEYS: ReadonlySet<string> = new Set();

const regionKeys = ofCountry((country, region) => withParents(regionOf(country, region)));

/** The region of a request, and the regions that contain it. */
export function regionKeysOf({
  country,
  region,
}: Pick<ParsedDevice, 'country' | 'region'>): readonly string[] {
  return region === '' ? NONE : regionKeys(country, region);
}

const cityName = memoizeText(foldedName);

/** The keys of the city of a request; none where it names no city. */
export function cityKeysOf(device: Pick<ParsedDevice, 'country' | 'region' | 'city'>): readonly string[] {
  const name = device.city === '' ? '' : cityName(device.city);
  if (name === '') return NONE;
  const regions = regionKeysOf(device);
  const country = device.country || (regions[0]?.slice(0, 2) ?? '');
  const named = cityNameIn(country, name);
  if (country === '') return named === name ? [`?|${name}`] : [`?|${name}`, `?|${named}`];
  if (regions.length === 0) return [`${country}|${named}`, `${country}?|${named}`];
  return [`${country}|${named}`, ...regions.map((region) => `${region}|${named}`)];
}

/** The city of a key as targets write it, with its words capitalised; null for a key without a country. */
export function cityOfKey(key: string): string | null {
  const [country = '', name = ''] = key.split('|');
  if (!/^[A-Z]{2}$/.test(country)) return null;
  return cityText({
    country,
    region: null,
    name: name.replaceAll(/(^| )\p{L}/gu, (first) => first.toUpperCase()),
  });
}

/** The keys of the postal code of a request, one for each of its beginnings; none where it has no postal code. */
export function postalKeysOf({
  country,
  postalCode,
}: Pick<ParsedDevice, 'country' | 'postalCode'>): readonly string[] {
  return postalCode === '' ? NONE : postalKeys(country, postalCode);
}

const postalKeys = ofCountry((country, postalCode) => {
  const code = postalCodeOf(postalCode);
  return Array.from({ length: code.length }, (_, index) => `${country || '?'}|${code.slice(0, index + 1)}`);
});

/** The keys of the mobile network of a request: its name and its numbers, as far as it has them. */
export function carrierKeysOf({
  carrier,
  networkCode,
}: Pick<ParsedDevice, 'carrier' | 'networkCode'>): readonly string[] {
  if (carrier === '' && networkCode === '') return NONE;
  return carrierKeys(carrier, networkCode);
}

/** Whether a request has an advertising id that may be used, as targets name it. */
export function deviceIdKeyOf({ idState }: Pick<ParsedDevice, 'idState'>): 'with' | 'without' {
  return idState === 'usable' ? 'with' : 'without';
}

/** What exchanges write where there is no mobile network. */
const NO_CARRIER = new Set(['', '0', 'wifi', 'wi fi', 'unknown', 'none', 'null', 'n a', 'carrier']);

const carrierKeys = ofCountry((carrier, networkCode) => {
  const codes = [networkCodeOf(carrier), networkCodeOf(networkCode)].filter((code) => code !== null);
  const name = foldedName(carrier);
  return [...new Set([...codes, ...(NO_CARRIER.has(name) ? [] : [name])])];
});

/** Cities of a target as keys. */
export function cityTargets(include: readonly string[], exclude: readonly string[]): IncludeExclude {
  return {
    include: keysOf(include, (text) => cityKeysOfTarget(text, false)),
    exclude: keysOf(exclude, (text) => cityKeysOfTarget(text, true)),
  };
}

function cityKeysOfTarget(text: string, isExcluded: boolean): readonly string[] {
  const city = parseCity(text);
  if (!city) return NONE;
  const name = cityNameIn(countryCodeOf(city.country), foldedName(city.name));
  const key = `${city.region ?? city.country}|${name}`;
  if (!isExcluded) return [key];
  return [key, `?|${name}`, ...(city.region === null ? [] : [`${city.country}?|${name}`])];
}

/** Beginnings of postal codes of a target as keys. */
export function postalTargets(include: readonly string[], exclude: readonly string[]): IncludeExclude {
  const keys = (text: string, isExcluded: boolean): readonly string[] => {
    const postal = parsePostalPrefix(text);
    if (!postal) return NONE;
    return [`${postal.country}|${postal.prefix}`, ...(isExcluded ? [`?|${postal.prefix}`] : [])];
  };
  return {
    include: keysOf(include, (text) => keys(text, false)),
    exclude: keysOf(exclude, (text) => keys(text, true)),
  };
}

/** Carriers of a target as keys. */
export function carrierTargets(include: readonly string[], exclude: readonly string[]): IncludeExclude {
  const keys = (text: string) => [networkCodeOf(text) ?? foldedName(text)];
  return { include: keysOf(include, keys), exclude: keysOf(exclude, keys) };
}

function keysOf(texts: readonly string[], keys: (text: string) => readonly string[]): ReadonlySet<string> {
  return texts.length === 0 ? NO_KEYS : new Set(texts.flatMap(keys));
}
