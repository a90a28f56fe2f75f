import { limits } from './limits.ts';
import { messages } from './messages.ts';

/** Bundles from typed or pasted text; `error` is set if the text breaks the entry rules. */
export interface ParsedBundles {
  bundles: string[];
  error: string | null;
}

/** Bundles from a CSV file, and the cells that were dropped, unchanged. */
export interface CsvBundles {
  bundles: string[];
  dropped: string[];
}

const typed = /^[a-z0-9 ,;&:._\-\n\r\t]*$/i;
const separators = /[,\s&;:]+/;

/**
 * Parses typed bundle ids, separated by comma, space, ampersand, semicolon or colon. Ids are lower-cased and deduplicated,
 * and a trailing dot is trimmed. `known` lists bundles from a file or the API, which are exempt from the entry rules. `_`
 * and `-` are allowed because real ids contain them.
 */
export function parseBundles(text: string, known: Iterable<string> = []): ParsedBundles {
  const accepted = new Set(known);
  const entries = text.split(separators);
  const written = entries.filter((entry) => !accepted.has(entry)).join(' ');
  if (!typed.test(written)) return { bundles: [], error: messages.bundleAlphabet };
  if (written.includes('..')) return { bundles: [], error: messages.bundleDots };
  return { bundles: distinct(entries), error: null };
}

/** The form in which bundles are stored and compared: lower case, without a trailing dot. */
export function normaliseBundle(bundle: string): string {
  const name = bundle.trim().toLowerCase();
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

/** Removes the `id` prefix that some exchanges put before App Store numbers; other bundles stay as they are. */
export function withoutIdPrefix(bundle: string): string {
  return bundle.startsWith('id') ? (/^id(\d{5,12})$/.exec(bundle)?.[1] ?? bundle) : bundle;
}

/**
 * Validates a bundle id from an API call, after {@link normaliseBundle}. Returns an error message, or null if it is valid.
 * `_` and `-` are allowed because real ids contain them.
 */
export function bundleError(bundle: string): string | null {
  if (bundle === '') return messages.required;
  if (bundle.length > limits.bundleMax) return `At most ${limits.bundleMax} characters`;
  if (!/^[a-z0-9._-]+$/.test(bundle)) return messages.bundleAlphabet;
  return bundle.includes('..') || bundle.endsWith('.') ? messages.bundleDots : null;
}

const headers = new Set(
  'bundle bundles bundleid bundleids app apps appid appids appbundle package packages packageid packagename publisher storeid id'.split(
    ' ',
  ),
);

/** True for a common column header of a bundle list. */
function isHeader(cell: string): boolean {
  return headers.has(cell.toLowerCase().replaceAll(/[ _-]/g, ''));
}

const notBundles = new Set(['android', 'ios']);

/** Longest CSV text that is parsed, in characters; ample for 500 rows. */
const CSV_CHARS_MAX = 1024 * 1024;

/**
 * Parses bundle ids from CSV text: cells separated by commas, semicolons or tabs, quoted or not, with any line endings.
 * Drops cells with upper-case letters, the words android and ios, and anything that is not a valid bundle id. Throws
 * RangeError for more than 500 non-empty rows or a text that is too large.
 */
export function bundlesFromCsv(text: string): CsvBundles {
  if (text.length > CSV_CHARS_MAX) throw new RangeError('The file is too large for a list of bundles');
  const rows = csvRows(text).filter((row) => row.length > 0);
  if (rows.length > limits.csvRowsMax) throw new RangeError(`A file holds at most ${limits.csvRowsMax} rows`);
  const valid: string[] = [];
  const dropped: string[] = rows[0]?.filter(isHeader) ?? [];
  for (const cell of rows.flatMap((row, index) =>
    index === 0 ? row.filter((name) => !isHeader(name)) : row,
  )) {
    const bundle = normaliseBundle(cell);
    const isBundle = cell === cell.toLowerCase() && !notBundles.has(bundle) && bundleError(bundle) === null;
    if (isBundle) valid.push(bundle);
    else dropped.push(cell);
  }
  return { bundles: distinct(valid), dropped };
}

function distinct(bundles: string[]): string[] {
  return [...new Set(bundles.map(normaliseBundle).filter(Boolean))];
}

/** The non-empty cells of each row, trimmed. Within quotes, `""` is a quote, and separators and line breaks are text. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let quoted = false;
  const endCell = () => {
    const filled = cell.trim();
    if (filled !== '') rows.at(-1)!.push(filled);
    cell = '';
  };
  for (const [part] of text.replace(/^\uFEFF/, '').matchAll(/""|"|[,;\t\r\n]|[^",;\t\r\n]+/g)) {
    if (part === '"') quoted = !quoted;
    else if (part === '""') cell += quoted ? '"' : '';
    else if (quoted) cell += part;
    else if (/^[\r\n]$/.test(part)) {
      endCell();
      rows.push([]);
    } else if (/^[,;\t]$/.test(part)) endCell();
    else cell += part;
  }
  endCell();
  return rows;
}
