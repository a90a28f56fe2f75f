/** Readers of untrusted JSON: each gives what it can and a plain default for the rest; none throws. */

export type JsonObject = Readonly<Record<string, unknown>>;

const EMPTY: JsonObject = Object.freeze({});
const TEXT_MAX = 2048;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : EMPTY;
}

/** At most `max` members of an array; a lone value counts as an array of one. */
export function arrayOf(value: unknown, max: number): unknown[] {
  if (Array.isArray(value)) return value.length > max ? value.slice(0, max) : (value as unknown[]);
  return value === undefined || value === null ? [] : [value];
}

/** A text; numbers become their digits. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.length > TEXT_MAX ? value.slice(0, TEXT_MAX) : value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
}

/** A number; digits in a string count too. NaN when there is none. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? value : Number.NaN;
  return typeof value === 'string' && value.trim() !== '' && value.length < 32 ? Number(value) : Number.NaN;
}

export function integerOf(value: unknown, fallback: number): number {
  const number = numberOf(value);
  return Number.isInteger(number) ? number : fallback;
}

/** 1, '1' and true. */
export function flagOf(value: unknown): boolean {
  return value === true || numberOf(value) === 1;
}

/** Lower-case texts; the empty ones and those longer than `charsMax`, which can match nothing of ours, are left out. */
export function lowerTexts(value: unknown, max: number, charsMax = LISTED_CHARS_MAX): string[] {
  return arrayOf(value, max)
    .map((item) => textOf(item).trim().toLowerCase())
    .filter((item) => item !== '' && item.length <= charsMax);
}

/** Longer than any code, domain or content type that OpenRTB lists. */
const LISTED_CHARS_MAX = 255;
