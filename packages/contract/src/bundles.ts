import { limits } from './limits.ts';
import { messages } from './messages.ts';

/** Bundles read from what a person typed or pasted; `error` when the text breaks the entry rules. */
export interface ParsedBundles {
  bundles: string[];
  error: string | null;
}

/** Bundles read from a CSV file, and the cells that were left out, as they stood in it. */
export interface CsvBundles {
  bundles: string[];
  dropped: string[];
}

const typed = /^[a-z0-9 ,;&:._\-\n\r\t]*$/i;
const separators = /[,\s&;:]+/;

/**
 * Reads typed bundle ids (specification, section 5, Bundle entry): separators comma, space, ampersand, semicolon and
 * colon; lower-cased, deduplicated, a trailing dot trimmed. `known` are bundles that need not keep to the typing rules,
 * which came from a file or the API. Beyond the specification's alphabet `_` and `-` may be typed, as real ids hold them.
 */
export function parseBundles(text: string, known: Iterable<string> = []): ParsedBundles {
  const accepted = new Set(known);
  const entries = text.split(separators);
  const written = entries.filter((entry) => !accepted.has(entry)).join(' ');
  if (!typed.test(written)) return { bundles: [], error: messages.bundleAlphabet };
  if (written.includes('..')) return { bundles: [], error: messages.bundleDots };
  return { bundles: distinct(entries), error: null };
}

/** A bundle as it is kept and compared: lower case, no trailing dot. */
export function normaliseBundle(bundle: string): string {
  return bundle.trim().toLowerCase().replace(/\.$/, '');
}

/** The number of the App Store without the `id` that some write before it; any other bundle as it is. */
export function plainBundle(bundle: string): string {
  return /^id(\d{5,12})$/.exec(bundle)?.[1] ?? bundle;
}

/**
 * What is wrong with a bundle id that the API is given, after {@link normaliseBundle}; null when it may stand in a list.
 * Beyond the typing rules it may hold `_` and `-`, as real ids do.
 */
export function bundleFault(bundle: string): string | null {
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

/** The name of a column, as spreadsheets of bundles are headed. */
function isHeader(cell: string): boolean {
  return headers.has(cell.toLowerCase().replaceAll(/[ _-]/g, ''));
}

const notBundles = new Set(['android', 'ios']);

/** The longest CSV text that is read: 500 rows with room to spare. */
const CSV_CHARS_MAX = 1024 * 1024;

/**
 * Reads bundle ids from the text of a CSV file: cells between commas, semicolons or tabs, quoted or not, any line ends.
 * Cells with upper-case letters, the words android and ios, and what cannot be a bundle id are dropped. Throws
 * RangeError beyond 500 rows that are not empty, and for a file too large to be such a list.
 */
export function bundlesFromCsv(text: string): CsvBundles {
  if (text.length > CSV_CHARS_MAX) throw new RangeError('The file is too large for a list of bundles');
  const rows = csvRows(text).filter((row) => row.length > 0);
  if (rows.length > limits.csvRowsMax) throw new RangeError(`A file holds at most ${limits.csvRowsMax} rows`);
  const kept: string[] = [];
  const dropped: string[] = rows[0]?.filter(isHeader) ?? [];
  for (const cell of rows.flatMap((row, index) =>
    index === 0 ? row.filter((name) => !isHeader(name)) : row,
  )) {
    const bundle = normaliseBundle(cell);
    const isBundle = cell === cell.toLowerCase() && !notBundles.has(bundle) && bundleFault(bundle) === null;
    if (isBundle) kept.push(bundle);
    else dropped.push(cell);
  }
  return { bundles: distinct(kept), dropped };
}

function distinct(bundles: string[]): string[] {
  return [...new Set(bundles.map(normaliseBundle).filter(Boolean))];
}

/** The filled cells of each row, trimmed. Within quotes a doubled quote is one, and separators and line ends are text. */
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
