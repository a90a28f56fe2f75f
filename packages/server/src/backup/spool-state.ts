import { join } from 'node:path';
import type { Digest } from '../platform/files/digest.ts';
import type { StateTable } from './manifest.ts';
import { cut, writtenFile } from './written-file.ts';

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
