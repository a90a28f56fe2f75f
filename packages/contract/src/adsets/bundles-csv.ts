import { bundleError, distinctBundles, normaliseBundle } from './bundles.ts';
import { limits } from '../lib/limits.ts';
import { parseStoreLink } from '../apps/store-link.ts';

/** Bundles from a CSV file. */
export interface CsvBundles {
  bundles: string[];
  /** Header of the only column that was read; null where all cells were. */
  column: string | null;
  /** Cells that cannot be a bundle or store id, unchanged. Lines are counted from 1. */
  skipped: { line: number; text: string }[];
}

/** Longest CSV text that is parsed, in characters; ample for 500 rows. */
const CSV_CHARS_MAX = 1024 * 1024;

const SEPARATORS = ',;\t';

/** Headers of a column of bundles, the most telling first, in lower case and without spaces and punctuation. */
const headers =
  'bundle bundles bundleid bundleids appbundle bundlename package packages packageid packagename storeid appstoreid appid appids app apps publisher id'.split(
    ' ',
  );

/**
 * Parses bundle ids from CSV text: cells separated by commas, semicolons, tabs or the separator in a first line `sep=`, quoted or
 * not, with any line endings. If the header names a column of bundles, only that column is read. A first row of words
 * is a header. The id is read from a URL of an app store; quotes around an id and the `="…"` of spreadsheets are removed.
 * Skips cells with upper-case letters, the words android and ios, and texts that cannot be a bundle or store id, such as figures
 * and names. Throws RangeError for more than 500 rows below the header, a text that is too large, or an unclosed quote.
 */
export function bundlesFromCsv(text: string): CsvBundles {
  if (text.length > CSV_CHARS_MAX) throw new RangeError('The file is too large for a list of bundles');
  const { body, lineBefore, separator } = withoutSeparatorLine(text.replace(/^\uFEFF/, ''));
  let { rows, unclosedAt } = csvRows(body, separator ?? SEPARATORS, 1 + lineBefore);
  const column = rows[0] ? columnOf(rows[0].cells) : null;
  if (column !== null && separator === null)
    ({ rows, unclosedAt } = csvRows(body, mainSeparator(body), 1 + lineBefore));
  if (unclosedAt !== null) throw new RangeError(`The quotation mark in line ${unclosedAt} is not closed`);
  const isHeaded = column !== null || (rows[0]?.cells.every(isHeading) ?? false);
  const data = isHeaded ? rows.slice(1) : rows;
  if (data.length > limits.csvRowsMax) throw new RangeError(`A file holds at most ${limits.csvRowsMax} rows`);
  const cells = data.flatMap(({ line, cells: all }) =>
    (column === null ? all : [all[rows[0]!.cells.indexOf(column)] ?? ''])
      .filter((cell) => cell !== '')
      .map((cell) => ({ line, text: cell, id: idOf(cell, column !== null) })),
  );
  return {
    bundles: distinctBundles(cells.flatMap(({ id }) => id ?? [])),
    column,
    skipped: cells.filter(({ id }) => id === null).map(({ line, text: cell }) => ({ line, text: cell })),
  };
}

/** The cell of a header that most likely names the column of bundles; null if the row has an id or no such cell. */
function columnOf(cells: readonly string[]): string | null {
  const ranked = cells
    .map((cell) => ({ cell, rank: headers.indexOf(cell.toLowerCase().replaceAll(/[ ._/-]/g, '')) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank);
  const known = new Set(ranked.map(({ cell }) => cell));
  const hasId = cells.some((cell) => !known.has(cell) && idOf(cell) !== null);
  return hasId ? null : (ranked[0]?.cell ?? null);
}

/** Whether a cell of a first row is empty or a heading: words, and no id, figure, URL or dotted name. */
function isHeading(cell: string): boolean {
  const isWords = /\p{L}{2}|^\p{L}$/u.test(cell) && !/[^\s.]\.+[^\s.]|\d{5}|:\/\//.test(cell);
  return cell === '' || (isWords && idOf(cell) === null);
}

/** Quotes around an id, also as the formula `="…"`, in which spreadsheets keep digits. */
const QUOTED = /^=?["'`‘’“”]{1,3}([^"'`‘’“”]+)["'`‘’“”]{0,3}$/;

/**
 * The id of a cell; null if it cannot be one. Android packages and bundles are dotted names. App Store numbers have nine
 * digits and more, and in a column of ids and in URLs also the shorter ones that exchanges make up.
 */
function idOf(cell: string, isColumnOfIds = false): string | null {
  const text = QUOTED.exec(cell)?.[1]!.trim() ?? cell;
  const linked = text.includes('/') ? parseStoreLink(text)?.bundleId : undefined;
  const id = linked ?? text;
  const bundle = normaliseBundle(id);
  if (id !== id.toLowerCase() || bundleError(bundle) !== null) return null;
  const number = /^(?:id)?(\d+)$/.exec(bundle)?.[1];
  if (number !== undefined) {
    const isId = isColumnOfIds || linked !== undefined;
    return number.length >= (isId ? 5 : 9) && number.length <= 12 ? bundle : null;
  }
  return /^[a-z][\w-]*(?:\.[\w-]+)+$/.test(bundle) ? bundle : null;
}

/** Splits off a first line such as `sep=;`, which names the separator for spreadsheets. */
function withoutSeparatorLine(text: string): { body: string; lineBefore: number; separator: string | null } {
  const found = /^"?sep=([^\r\n])"?(?:\r\n|[\r\n]|$)/i.exec(text);
  if (!found) return { body: text, lineBefore: 0, separator: null };
  return { body: text.slice(found[0].length), lineBefore: 1, separator: found[1]! };
}

/** The most frequent separator of the first row. */
function mainSeparator(text: string): string {
  const [first = ''] = text
    .trimStart()
    .replaceAll(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1);
  const counted = SEPARATORS.split('').map((separator) => ({
    separator,
    count: first.split(separator).length,
  }));
  return counted.sort((a, b) => b.count - a.count)[0]!.separator;
}

interface Row {
  line: number;
  /** Trimmed. */
  cells: string[];
}

/**
 * The rows with text, with lines counted from `firstLine`, and the line of a quote that is not closed. Within quotes, `""` is
 * a quote, and separators and line breaks are text; quotes within an unquoted cell are text.
 */
function csvRows(
  text: string,
  separators: string,
  firstLine: number,
): { rows: Row[]; unclosedAt: number | null } {
  const rows: Row[] = [];
  let line = firstLine;
  let quotedAt = line;
  let row: Row = { line, cells: [] };
  let cell = '';
  let state: 'start' | 'quoted' | 'text' = 'start';
  const endCell = () => {
    row.cells.push(cell.trim());
    cell = '';
    state = 'start';
  };
  const endRow = () => {
    endCell();
    if (row.cells.some(Boolean)) rows.push(row);
    row = { line, cells: [] };
  };
  for (const [part] of text.matchAll(/\r\n|""|[^]/g)) {
    const isBreak = part === '\r\n' || part === '\n' || part === '\r';
    if (isBreak) line += 1;
    if (state === 'quoted') {
      if (part === '"') state = 'text';
      else cell += part === '""' ? '"' : part;
    } else if (isBreak) endRow();
    else if (separators.includes(part)) endCell();
    else if (part === '"' && state === 'start') {
      state = 'quoted';
      quotedAt = line;
    } else if (part !== '""' || state === 'text') {
      cell += part;
      if (part.trim() !== '') state = 'text';
    }
  }
  const unclosedAt = state === 'quoted' ? quotedAt : null;
  endRow();
  return { rows, unclosedAt };
}
