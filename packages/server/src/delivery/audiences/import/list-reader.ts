import type { IdForm, LineFault } from '@bidwell/contract/audiences/schema';
import { type ReadId, isIdShaped, readId } from './id-reader.ts';

/** Names of columns with ids as networks and partners write them, in lower case, without what is between their words. */
const COLUMNS = new Set(
  (
    'maid ifa idfa gaid aaid adid rdid oaid id gpsadid urladid androidid androidadvertisingid androidadid googleadid ' +
    'googleadvertisingid advertisingid advertiserid deviceid mobileid mobileadid mobileadvertisingid mobileadvertiserid'
  ).split(' '),
);
const HASHES = ['md5', 'sha1', 'sha256'] as const;

/** The hash of the ids of a column by its name, `plain` where it names none; null where it is no column of ids. */
function columnOf(name: string): (typeof HASHES)[number] | 'plain' | null {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '')
    .replace(/^hashed/, '');
  const hash = HASHES.find((one) => plain.endsWith(one));
  const base = hash ? plain.slice(0, -hash.length) : plain;
  if (!COLUMNS.has(base) && !(hash && base === '')) return null;
  return hash ?? 'plain';
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
  invalid_lines: { line: number; fault: LineFault }[];
}

/**
 * Reads a list of ids part by part: a column of a file with commas, semicolons or tabs, or one id a line, with any line endings. A list has
 * ids of one hash, which the first id decides. Calls `onId` for each id.
 */
export class ListReader {
  readonly counts: ListCounts = { lines: 0, ids: 0, invalid: 0, invalid_lines: [] };
  readonly #onId: (id: ReadId) => void;
  #form: IdForm;
  #hash: ReadId['hash'] | null = null;
  /** Columns with ids; null where no header names them. Undefined before the first line. */
  #columns: readonly number[] | null | undefined;
  #delimiter = '';
  #rest = '';
  #isSkipping = false;
  #line = 0;

  constructor(form: IdForm, onId: (id: ReadId) => void) {
    this.#form = form;
    this.#onId = onId;
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
    if (this.#rest !== '' || this.#isSkipping) this.#endLine('');
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
    const line = text.trim();
    if (line === '') return;
    if (this.#columns === undefined && this.#readHead(line)) return;
    this.counts.lines += 1;
    const id = readId(this.#cellOf(line), this.#form);
    if (typeof id === 'string') return this.#reject(id);
    this.#hash ??= id.hash;
    if (id.hash !== this.#hash) return this.#reject('other_kind');
    this.counts.ids += 1;
    this.#onId(id);
  }

  #reject(fault: LineFault): void {
    this.counts.invalid += 1;
    if (this.counts.invalid_lines.length < NAMED_LINES_MAX)
      this.counts.invalid_lines.push({ line: this.#line, fault });
  }

  /** Reads the first line. Returns whether it names the columns. */
  #readHead(line: string): boolean {
    this.#delimiter = ['\t', ';', ','].find((one) => line.includes(one)) ?? '';
    const cells = this.#cellsOf(line);
    this.#columns = null;
    if (cells.some(isIdShaped)) return false;
    const named = cells.flatMap((cell, column) => {
      const hash = columnOf(cell);
      return hash ? [{ column, hash }] : [];
    });
    if (named.length === 0) return true;
    this.#columns = named.map(({ column }) => column);
    const hash = named.find((one) => one.hash !== 'plain')?.hash;
    if (this.#form === 'auto' && hash) this.#form = hash;
    return true;
  }

  #cellOf(line: string): string {
    if (this.#delimiter === '') return unquoted(line);
    const cells = this.#cellsOf(line);
    if (this.#columns)
      return this.#columns.map((column) => cells[column] ?? '').find((cell) => cell !== '') ?? '';
    return cells.find(isIdShaped) ?? cells[0]!;
  }

  #cellsOf(line: string): string[] {
    if (this.#delimiter === '') return [unquoted(line)];
    return line.split(this.#delimiter, COLUMNS_MAX).map(unquoted);
  }
}

/** A cell without the space, the quotes and the byte order mark around it. */
function unquoted(cell: string): string {
  // Spaces are trimmed twice: also within the quotes.
  const text = cell.trim().replace(/^(?:\uFEFF|\u00EF\u00BB\u00BF)/, '');
  return /^".*"$|^'.*'$/.test(text) ? text.slice(1, -1).trim() : text;
}
