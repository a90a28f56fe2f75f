import { join } from 'node:path';
import { type Digest, digestMeter } from '../platform/files/digest.ts';
import type { StateTable } from './manifest.ts';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** A file of a backup that is on this machine. */
export interface SpooledFile {
  /** Its name in the backup. */
  file: string;
  path: string;
  digest: Digest;
}

const PART_BYTES = 64 * 1024 ** 2;

/** The tables of one moment, in the order in which they can be restored. */
export interface StateReader {
  tables: readonly string[];
  /** Rows as JSON, some at a time; of one table after the other. */
  read(table: string): AsyncIterable<string[]>;
  /** Number of rows, and sums of columns with money. */
  sumsOf(table: string): Promise<Pick<StateTable, 'rows' | 'sums'>>;
}

/**
 * Writes the tables of a snapshot into files of `folder`, so that no slow reader of the backup holds a transaction open.
 */
export async function spoolState(
  reader: StateReader,
  folder: string,
  note: (text: string) => void,
): Promise<{ tables: StateTable[]; files: SpooledFile[] }> {
  const tables: StateTable[] = [];
  const files: SpooledFile[] = [];
  for (const table of reader.tables) {
    const { rows, sums } = await reader.sumsOf(table);
    const stored: StateTable['files'] = [];
    const lengthOf = (lines: string[]) => lines.reduce((sum, line) => sum + line.length, 0);
    for await (const part of cut(reader.read(table), lengthOf, PART_BYTES)) {
      const name = `${table}-${String(stored.length + 1).padStart(4, '0')}.jsonl.gz`;
      const path = join(folder, name);
      const digest = await writtenFile(path, linesOf(part), { isCompressed: true });
      const file = `state/${name}`;
      files.push({ file, path, digest });
      stored.push({ file, bytes: digest.bytes, sha256: digest.sha256 });
    }
    tables.push({ table, rows, sums, files: stored });
    note(`state: ${table}, ${rows} rows`);
  }
  return { tables, files };
}

async function* linesOf(batches: AsyncIterable<string[]>): AsyncGenerator<string> {
  for await (const lines of batches) yield `${lines.join('\n')}\n`;
}

/** Writes chunks into a new file of this user, on disk when it resolves, and sums it up. Removes it after an error. */
export async function writtenFile(
  path: string,
  chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  { isCompressed = false } = {},
): Promise<Digest> {
  const meter = digestMeter(Infinity);
  const file = createWriteStream(path, { mode: 0o600, flush: true });
  const content = Readable.from(chunks, { objectMode: false });
  try {
    // Events shrink to a tenth at the fastest level.
    if (isCompressed) await pipeline(content, createGzip({ level: 1 }), meter.stream, file);
    else await pipeline(content, meter.stream, file);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return meter.digest();
}

/**
 * Cuts a stream into streams of about `bytesMax`, one after the other; each has to be read to its end before the next. None
 * where the stream is empty.
 */
export async function* cut<Item>(
  items: AsyncIterable<Item>,
  bytesOf: (item: Item) => number,
  bytesMax: number,
): AsyncGenerator<AsyncGenerator<Item>> {
  const source = items[Symbol.asyncIterator]();
  try {
    let next = await source.next();
    async function* part(): AsyncGenerator<Item> {
      let bytes = 0;
      while (!next.done && bytes < bytesMax) {
        bytes += bytesOf(next.value);
        yield next.value;
        next = await source.next();
      }
    }
    while (!next.done) yield part();
  } finally {
    await source.return?.();
  }
}
