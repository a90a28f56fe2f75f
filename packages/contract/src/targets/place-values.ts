import { z } from 'zod';
import { numberText } from '../lib/number-text.ts';

/** Characters of a name of a city or a carrier. */
export const PLACE_NAME_MAX = 100;
/** Characters of a postal code without spaces and hyphens. */
export const POSTAL_CODE_MAX = 10;
/** Circles of a list. */
export const CIRCLES_MAX = 100;
/** Bounds of the radius of a circle, in kilometres. */
export const RADIUS_MIN_KM = 1;
export const RADIUS_MAX_KM = 500;

/** A city of a country or of a region of it, by its name. */
export interface City {
  /** Upper case: ISO 3166-1, of two letters once the server has stored it. */
  country: string;
  /** ISO 3166-2, such as US-OR; null for the city of any region. */
  region: string | null;
  name: string;
}

/** The beginning of postal codes of a country, in upper case without spaces and hyphens. */
export interface PostalPrefix {
  country: string;
  prefix: string;
}

const radiusBounds = `The radius is from ${RADIUS_MIN_KM} to ${numberText(RADIUS_MAX_KM)} km`;

/** A circle on the map. */
export const Circle = z.object({
  /** Degrees, north positive. */
  lat: z.number('Enter a number').min(-90, 'From -90 to 90').max(90, 'From -90 to 90'),
  /** Degrees, east positive. */
  lon: z.number('Enter a number').min(-180, 'From -180 to 180').max(180, 'From -180 to 180'),
  /** Radius in kilometres. */
  km: z.number('Enter a number').min(RADIUS_MIN_KM, radiusBounds).max(RADIUS_MAX_KM, radiusBounds),
});
export type Circle = z.infer<typeof Circle>;

/** Reads a city of a target: `DE:Berlin`, or with its region `US-OR:Portland`. Null for anything else. */
export function parseCity(text: string): City | null {
  const match = /^([a-z]{2,3})(-[a-z\d]{1,3})?:(.+)$/is.exec(text.trim());
  if (!match) return null;
  const [, country = '', region, name = ''] = match;
  const trimmed = name.trim().replaceAll(/\s+/g, ' ');
  if (foldedName(trimmed) === '' || trimmed.length > PLACE_NAME_MAX) return null;
  const upper = country.toUpperCase();
  return { country: upper, region: region ? `${upper}${region.toUpperCase()}` : null, name: trimmed };
}

/** A city as targets write it. */
export function cityText({ country, region, name }: City): string {
  return `${region ?? country}:${name}`;
}

/** Two codes of one length, such as 10115-10119. */
const isCodeRange = (text: string): boolean => {
  const [, first = '', last = ''] = /^\s*(\d{4,})\s*[-–]\s*(\d{4,})\s*$/.exec(text) ?? [];
  return first !== '' && first.length === last.length;
};

/** Reads the beginning of postal codes: `US:900`. Null for anything else, such as a range of codes. */
export function parsePostalPrefix(text: string): PostalPrefix | null {
  const match = /^([a-z]{2,3}):(.+)$/is.exec(text.trim());
  if (!match || isCodeRange(match[2] ?? '')) return null;
  const prefix = postalCodeOf(match[2] ?? '');
  return prefix === '' ? null : { country: (match[1] ?? '').toUpperCase(), prefix };
}

/** The beginning of postal codes as targets write it. */
export function postalPrefixText({ country, prefix }: PostalPrefix): string {
  return `${country}:${prefix}`;
}

/** A postal code in upper case without spaces and hyphens; '' for a text that is none. */
export function postalCodeOf(text: string): string {
  const code = text.replaceAll(/[\s-]+/g, '').toUpperCase();
  return code.length <= POSTAL_CODE_MAX && /^[A-Z\d]+$/.test(code) ? code : '';
}

/**
 * A mobile network by its numbers (MCC and MNC) in one spelling, `310-410`, from `310-410`, `310410` or `310-005`, which is `310-5`.
 * Null for anything else, such as the name of a carrier.
 */
export function networkCodeOf(text: string): string | null {
  const match = /^\s*([2-7]\d{2})[-_ ]?(\d{1,3})\s*$/.exec(text);
  return match ? `${match[1]}-${Number(match[2])}` : null;
}

/** Letters that have no decomposition in Unicode, as they are commonly written without marks. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/**
 * A name for comparison: lower case, without marks over letters, and with one space in place of punctuation. `St.` and `Saint` are the
 * same. '' for a text without letters and digits.
 */
export function foldedName(text: string): string {
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      // Marks over Latin, Greek and Cyrillic letters; in other scripts they tell words apart.
      .replaceAll(/[\u0300-\u036f]+/g, '')
      .normalize('NFKC')
      .replaceAll(/[ßæœøłđðþı]/g, (letter) => PLAIN_LETTERS[letter]!)
      .replaceAll(/['’‘ʻʼ`]/g, '')
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .replaceAll(/\bsaint\b/g, 'st')
      .trim()
  );
}
