import type { InvalidLine, LineFault } from '@bidwell/contract/audiences/line-faults';
import type { IdForm } from '@bidwell/contract/audiences/schema';
import { type ReadId, isIdShaped, readId } from './id-reader.ts';

/** Names of columns with ids as networks and partners write them, in lower case, without what is between their words. */
const COLUMNS = new Set(
  (
    'maid ifa idfa gaid aaid adid rdid oaid id gpsadid urladid androidid androidadvertisingid androidadid googleadid ' +
    'googleadvertisingid advertisingid advertiserid deviceid mobileid mobileadid mobileadvertisingid mobileadvertiserid'
  ).split(' '),
);
const HASHES = ['md5', 'sha1', 'sha256'] as const;

/** The hash that the name of a column names, `plain` for none. */
type Declared = (typeof HASHES)[number] | 'plain';

/** Words in the names of columns with hashes of something else, which look like hashes of ids and are in no bid request. */
const OTHER_PEOPLE = /e-?mail|phone|msisdn|address/i;

/** A column with ids. */
interface IdColumn {
  column: number;
  declared: Declared;
}

/** The hash of the ids of a column by its name; null where it is no column of ids. */
function declaredBy(name: string): Declared | null {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '')
    .replace(/^hashed/, '');
  const hash = HASHES.find((one) => plain.endsWith(one));
  const base = hash ? plain.slice(0, -hash.length) : plain;
  if (!COLUMNS.has(base) && !(hash && base === '')) return null;
  return hash ?? 'plain';
}

/** The columns with ids of a header, in a group for each hash, plain ids first. A column `id` next to others is a key of the file. */
function groupsOf(names: readonly string[]): readonly (readonly IdColumn[])[] {
  const all = names.flatMap((name, column) => {
    const declared = declaredBy(name);
    return declared ? [{ column, declared, isKey: name.toLowerCase() === 'id' }] : [];
  });
  const ids = all.some(({ isKey }) => !isKey) ? all.filter(({ isKey }) => !isKey) : all;
  const hashes: readonly Declared[] = ['plain', ...HASHES.toReversed()];
  return hashes
    .map((hash) => ids.filter(({ declared }) => declared === hash))
    .filter((columns) => columns.length > 0);
}

/** Longest line; a longer one has no id that can be read. */
const LINE_CHARS_MAX = 64 * 1024;
/** Lines without a usable id that are named. */
const NAMED_LINES_MAX = 20;
/** Columns that are looked at. */
const COLUMNS_MAX = 200;

/** What was read of a list. */
export interface ListCounts {
  lines: number;
  ids: number;
  invalid: number;
  invalid_lines: InvalidLine[];
}

/**
 * Reads a list of ids part by part: the columns of a file with commas, semicolons or tabs that have ids, or one id a line, with any line endings.
 * Without a header that names columns of ids, the first column with one is read.
 * Of columns for plain ids and for their hashes, each line has its plain ids read, or its hashes where it has none. A list has ids of one hash, which the first id decides. Calls
 * `onId` for each id.
 */
export class ListReader {
  readonly counts: ListCounts = { lines: 0, ids: 0, invalid: 0, invalid_lines: [] };
  readonly #onId: (id: ReadId) => void;
  readonly #form: IdForm;
  #hash: ReadId['hash'] | null = null;
  /** Whether the first line is read, which may name the columns. */
  #isBegun = false;
  #hasHead = false;
  /** Columns with ids by the header, in a group for each hash, plain ids first; empty where it names none. */
  #named: readonly (readonly IdColumn[])[] = [];
  /** Columns of a header with hashes of something else, which are never read. */
  #others: ReadonlySet<number> = new Set();
  /** The first column with an id, of a list whose header names none. */
  #found: number | null = null;
  #delimiter = '';
  #rest = '';
  #isSkipping = false;
  #line = 0;
  #isCut = false;

  /** `mayHaveHead`: whether the first line may name columns; a list without has one id a line. */
  constructor(form: IdForm, onId: (id: ReadId) => void, { mayHaveHead = true } = {}) {
    this.#form = form;
    this.#onId = onId;
    this.#isBegun = !mayHaveHead;
  }

  /** Whether the text has no line but a header. */
  get isHeadAlone(): boolean {
    return this.#hasHead && this.counts.lines === 0;
  }

  /** Whether the last line has neither an ending nor an id, as where the text is cut off. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Adds a part of the text. */
  add(text: string): void {
    if (text === '') return;
    let from = 0;
    if (this.#rest.endsWith('\r')) {
      this.#endLine('');
      if (text.startsWith('\n')) from = 1;
    }
    let feed = text.indexOf('\n', from);
    let carriage = text.indexOf('\r', from);
    while (feed >= 0 || carriage >= 0) {
      const isFeed = carriage < 0 || (feed >= 0 && feed < carriage);
      const at = isFeed ? feed : carriage;
      // A carriage return at the end may be the first half of a line ending.
      if (!isFeed && at === text.length - 1) break;
      this.#endLine(text.slice(from, at));
      from = !isFeed && feed === at + 1 ? at + 2 : at + 1;
      if (feed >= 0 && feed < from) feed = text.indexOf('\n', from);
      if (carriage >= 0 && carriage < from) carriage = text.indexOf('\r', from);
    }
    this.#keep(text.slice(from));
  }

  /** Reads what is left at the end of the text. */
  end(): void {
    if (this.#rest === '' && !this.#isSkipping) return;
    const { invalid } = this.counts;
    const isOpen = !this.#rest.endsWith('\r');
    this.#endLine('');
    this.#isCut = isOpen && this.counts.invalid > invalid;
  }

  #keep(rest: string): void {
    if (this.#isSkipping) return;
    this.#rest += rest;
    if (this.#rest.length <= LINE_CHARS_MAX) return;
    this.#rest = '';
    this.#isSkipping = true;
  }

  #endLine(end: string): void {
    const line = this.#rest === '' ? end : this.#rest + end;
    this.#rest = '';
    this.#readLine(line);
  }

  #readLine(text: string): void {
    this.#line += 1;
    if (this.#isSkipping) {
      this.#isSkipping = false;
      this.counts.lines += 1;
      return this.#reject('too_long');
    }
    const line = this.#line === 1 ? text.replace(UNSEEN, '') : text;
    if (line.trim() === '') return;
    if (!this.#isBegun) {
      // Excel writes which delimiter follows.
      if (/^\s*"?sep=.?"?\s*$/i.test(line)) return;
      this.#isBegun = true;
      this.#hasHead = this.#readHead(line);
      if (this.#hasHead) return;
    }
    this.counts.lines += 1;
    const fault = this.#delimiter === '' ? this.#readOnly(line) : this.#readCells(this.#cellsOf(line));
    if (fault) this.#reject(fault);
  }

  #reject(fault: LineFault): void {
    this.counts.invalid += 1;
    if (this.counts.invalid_lines.length < NAMED_LINES_MAX)
      this.counts.invalid_lines.push({ line: this.#line, fault });
  }

  #take(id: ReadId): void {
    this.#hash ??= id.hash;
    this.counts.ids += 1;
    this.#onId(id);
  }

  /** Reads the first line. Returns whether it is a header: it names a column, with ids or with hashes of something else. */
  #readHead(line: string): boolean {
    const bare = line.replaceAll(/"(?:[^"]|"")*"/g, '');
    this.#delimiter = ['\t', ';', ','].find((one) => bare.includes(one)) ?? '';
    const cells = this.#cellsOf(line);
    if (cells.some(isIdShaped)) return false;
    this.#named = groupsOf(cells);
    this.#others = new Set(cells.flatMap((cell, column) => (OTHER_PEOPLE.test(cell) ? [column] : [])));
    return this.#named.length > 0 || this.#others.size > 0;
  }

  /** Reads a line of one column. Returns why it has no id. */
  #readOnly(line: string): LineFault | null {
    if (this.#others.size > 0) return 'no_id';
    const id = this.#read(unquoted(line), this.#named[0]?.[0]?.declared ?? 'plain');
    if (typeof id === 'string') return id;
    this.#take(id);
    return null;
  }

  /** Reads the ids of a line of several columns. Returns why it has none. */
  #readCells(cells: readonly string[]): LineFault | null {
    if (this.#named.length === 0) return this.#readFound(cells);
    let fault: LineFault | null = null;
    for (const columns of this.#named) {
      let hasId = false;
      for (const { column, declared } of columns) {
        const cell = cells[column] ?? '';
        if (cell === '') continue;
        const id = this.#read(cell, declared);
        if (typeof id === 'string') fault ??= id;
        else {
          hasId = true;
          this.#take(id);
        }
      }
      if (hasId) return null;
    }
    return fault ?? 'no_id';
  }

  /** Reads the id of a line of a list whose header names no columns. Returns why it has none. */
  #readFound(cells: readonly string[]): LineFault | null {
    const isIn = (column: number): boolean => !this.#others.has(column) && isIdShaped(cells[column] ?? '');
    const columns = [...cells.keys()];
    this.#found ??=
      columns.find((column) => isIn(column) && typeof this.#read(cells[column]!, 'plain') !== 'string') ??
      null;
    // Where the column is empty, the id may be in another one of the line.
    const usual = this.#found === null ? '' : (cells[this.#found] ?? '');
    const text = usual || (cells[columns.find(isIn) ?? -1] ?? '');
    const id = this.#read(text, 'plain');
    if (typeof id === 'string') return id;
    this.#take(id);
    return null;
  }

  #read(text: string, declared: Declared): ReadId | LineFault {
    if (declared !== 'plain' && this.#form !== 'auto' && this.#form !== declared) return 'other_kind';
    const id = readId(text, declared === 'plain' ? this.#form : declared);
    return typeof id === 'string' || this.#hash === null || id.hash === this.#hash ? id : 'other_kind';
  }

  #cellsOf(line: string): string[] {
    if (this.#delimiter === '') return [unquoted(line)];
    return (
      (line.includes('"') ? quotedCells(line, this.#delimiter) : null) ??
      line.split(this.#delimiter, COLUMNS_MAX).map(unquoted)
    );
  }
}

/** What comes before the first character that can be of an id or a name: a byte order mark, spaces of no width, control characters. */
const UNSEEN = /^[^\t\x21-\x7e]+/;

/** A cell without the space and the quotes around it. */
function unquoted(cell: string): string {
  const text = cell.trim();
  // Spaces are trimmed twice: also within the quotes.
  return /^".*"$|^'.*'$/.test(text) ? text.slice(1, -1).trim() : text;
}

/** The cells of a line with quotes, which may have the delimiter and doubled quotes in them (RFC 4180); null where a quote does not end. */
function quotedCells(line: string, delimiter: string): string[] | null {
  const cells: string[] = [];
  let at = 0;
  while (at <= line.length && cells.length < COLUMNS_MAX) {
    let from = at;
    while (line[from] === ' ') from += 1;
    const closing = line[from] === '"' ? closingQuote(line, from) : from;
    if (closing < 0) return null;
    const found = line.indexOf(delimiter, closing);
    const end = found < 0 ? line.length : found;
    cells.push(unquoted(line.slice(from, end)).replaceAll('""', '"'));
    at = end + 1;
  }
  return cells;
}

/** The position of the quote that ends the cell whose first quote is at `from`; -1 for none. */
function closingQuote(line: string, from: number): number {
  let at = line.indexOf('"', from + 1);
  while (at >= 0 && line[at + 1] === '"') at = line.indexOf('"', at + 2);
  return at;
}
