import { limits } from './limits.ts';
import { messages } from './messages.ts';

/** Bundles read from what a person typed or pasted; `error` when the text breaks the entry rules. */
export interface ParsedBundles {
  bundles: string[];
  error: string | null;
}

const alphabet = /^[a-z0-9 ,;&:.\n\r\t]*$/i;
const separators = /[,\s&;:]+/;

/**
 * Reads typed bundle ids (specification, section 5, Bundle entry): separators comma, space, ampersand, semicolon and
 * colon; lower-cased, deduplicated, a trailing dot trimmed.
 */
export function parseBundles(text: string): ParsedBundles {
  if (!alphabet.test(text)) return { bundles: [], error: messages.bundleAlphabet };
  if (/\.\./.test(text)) return { bundles: [], error: messages.bundleDots };
  const bundles = text.split(separators).map(normaliseBundle).filter(Boolean);
  return { bundles: [...new Set(bundles)], error: null };
}

/** A bundle as it is kept and compared: lower case, no trailing dot. */
export function normaliseBundle(bundle: string): string {
  return bundle.trim().toLowerCase().replace(/\.$/, '');
}

const notBundles = new Set(['android', 'ios']);

/**
 * Reads bundle ids from the cells of a CSV file (already split into rows): entries with upper-case letters and the words
 * android and ios are dropped. Throws RangeError beyond 500 rows.
 */
export function bundlesFromCsv(rows: string[][]): string[] {
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ''));
  if (filled.length > limits.csvRowsMax)
    throw new RangeError(`A file holds at most ${limits.csvRowsMax} rows`);
  const cells = filled.flat().map((cell) => cell.trim());
  const kept = cells.filter((cell) => cell !== '' && cell === cell.toLowerCase() && !notBundles.has(cell));
  return [...new Set(kept.map(normaliseBundle).filter(Boolean))];
}
