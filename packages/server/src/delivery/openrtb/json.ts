/** Readers of untrusted JSON. They convert leniently, fall back to a default and never throw. */

export type JsonObject = Readonly<Record<string, unknown>>;

const EMPTY: JsonObject = Object.freeze({});
/** Most lists of a request are absent; all of those are this one. */
const NONE: readonly never[] = Object.freeze([]);
const TEXT_MAX = 2048;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : EMPTY;
}

/** The first `max` members of an array. A single value becomes an array of one; null and undefined an empty one. */
export function arrayOf(value: unknown, max: number): readonly unknown[] {
  if (value === undefined || value === null) return NONE;
  if (Array.isArray(value)) return value.length > max ? value.slice(0, max) : (value as unknown[]);
  return [value];
}

/** A string, truncated to {@link TEXT_MAX} characters. Numbers are converted; anything else becomes ''. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.length > TEXT_MAX ? value.slice(0, TEXT_MAX) : value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
}

/** A number, also from a numeric string; NaN for anything else. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? value : Number.NaN;
  return typeof value === 'string' && value.trim() !== '' && value.length < 32 ? Number(value) : Number.NaN;
}

export function integerOf(value: unknown, fallback: number): number {
  const number = numberOf(value);
  return Number.isInteger(number) ? number : fallback;
}

/** True for 1, '1' and true. */
export function flagOf(value: unknown): boolean {
  return value === true || numberOf(value) === 1;
}

/** Strings in lower case. Empty ones are left out, and those above `charsMax`, which cannot match any of our values. */
export function lowerTexts(value: unknown, max: number, charsMax = LISTED_CHARS_MAX): readonly string[] {
  const items = arrayOf(value, max);
  if (items.length === 0) return NONE;
  const texts: string[] = [];
  for (const item of items) {
    const text = textOf(item).trim().toLowerCase();
    if (text !== '' && text.length <= charsMax) texts.push(text);
  }
  return texts;
}

/** Above the length of any code, domain or content type in OpenRTB. */
const LISTED_CHARS_MAX = 255;
