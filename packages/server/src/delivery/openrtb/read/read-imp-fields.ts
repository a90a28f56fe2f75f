import { type JsonObject, arrayOf, integerOf, numberOf, textOf } from '../json.ts';
import type { FlexRatio, Size } from '../../model/bid-request.ts';
import { memoizeText } from '../../../platform/memoize-text.ts';

const SIDE_MAX = 20_000;
const CODES_MAX = 100;

/** Reads `w` and `h`; null unless both are valid. */
export function readSize(holder: JsonObject): Size | null {
  const width = integerOf(holder['w'], 0);
  const height = integerOf(holder['h'], 0);
  return width > 0 && height > 0 && width <= SIDE_MAX && height <= SIDE_MAX ? { width, height } : null;
}

/** Reads an aspect ratio (OpenRTB 2.6, 3.2.10 `wratio`, `hratio`, `wmin`); null without a valid one. */
export function readRatio(format: JsonObject): FlexRatio | null {
  const width = integerOf(format['wratio'], 0);
  const height = integerOf(format['hratio'], 0);
  if (width <= 0 || height <= 0 || width > SIDE_MAX || height > SIDE_MAX) return null;
  return { width, height, widthMin: Math.max(0, integerOf(format['wmin'], 0)) };
}

/** Reads a list of integer codes; other values are left out. */
export function readCodes(value: unknown): readonly number[] {
  const codes = arrayOf(value, CODES_MAX);
  if (codes.every(Number.isInteger)) return codes as readonly number[];
  return codes.map(numberOf).filter(Number.isInteger);
}

const LISTED_MAX = 100;
const NONE: readonly string[] = [];
const MEMO_LIMITS = { entriesMax: 500, charsMax: 100 };

/** The types of creatives; a wildcard stands for those that it covers. */
const OURS = ['image/png', 'image/jpeg', 'image/gif', 'video/mp4', 'video/quicktime', 'text/html'];
/** Values that most requests list, in their normal spelling. */
const USUAL: ReadonlySet<unknown> = new Set([
  ...OURS,
  'image/webp',
  'text/javascript',
  'application/javascript',
  'video/webm',
  'video/3gpp',
]);
/** Spellings of exchanges that are no registered types. */
const MISSPELT = new Map([
  ['image/jpg', 'image/jpeg'],
  ['*', '*/*'],
]);

/** The family of types without one: some exchanges send `png` or `mp4`. */
type Family = 'image' | 'video';

/**
 * Reads the content types that an imp or an asset accepts (`mimes`): a list, or from some exchanges a text with commas. In lower
 * case and without parameters. A wildcard becomes the types of our creatives that it covers.
 */
export function readContentTypes(value: unknown, family: Family): readonly string[] {
  const listed = arrayOf(value, LISTED_MAX);
  if (listed.length === 0) return NONE;
  if (listed.every((item) => USUAL.has(item))) return listed as readonly string[];
  const read = typesIn[family];
  return [...new Set(listed.flatMap((item) => read(textOf(item))))];
}

/** Exchanges spell the types in few ways, and the same again and again. */
const typesIn = {
  image: memoizeText((text) => typesOf(text, 'image'), MEMO_LIMITS),
  video: memoizeText((text) => typesOf(text, 'video'), MEMO_LIMITS),
} satisfies Record<Family, (text: string) => readonly string[]>;

function typesOf(text: string, family: Family): readonly string[] {
  const types = new Set<string>();
  for (const part of text.toLowerCase().split(',', LISTED_MAX)) {
    const [bare = ''] = part.split(';', 1);
    const name = bare.trim();
    if (name === '') continue;
    const full = name.includes('/') || name === '*' ? name : `${family}/${name}`;
    for (const type of typesNamed(full)) types.add(type);
  }
  return [...types];
}

function typesNamed(name: string): readonly string[] {
  const type = MISSPELT.get(name) ?? name;
  if (type === '*/*') return OURS;
  return type.endsWith('/*') ? coveredBy(type) : [type];
}

/**
 * The types of our creatives that a wildcard covers. If it covers none, the wildcard itself, which no creative
 * matches.
 */
function coveredBy(wildcard: string): readonly string[] {
  const covered = OURS.filter((type) => type.startsWith(wildcard.slice(0, -1)));
  return covered.length > 0 ? covered : [wildcard];
}
