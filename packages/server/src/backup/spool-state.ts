import { join } from 'node:path';
import type { Db } from '../platform/postgres/transaction.ts';
import type { Digest } from '../platform/files/digest.ts';
import type { StateTable } from './manifest.ts';
import { readRows, stateTables, sumsOf } from './state-store.ts';
import { cut, writtenFile } from './written-file.ts';

/** A file of a backup that is on this machine. */
export interface SpooledFile {
  /** Its name in the backup. */
  file: string;
  path: string;
  digest: Digest;
}

const PART_BYTES = 64 * 1024 ** 2;

/**
 * Writes the tables of a snapshot into files of `folder`, in the order in which they can be restored. The files are on disk
 * before the transaction ends, so that no slow reader of the backup holds it open.
 */
export async function spoolState(
  db: Db,
  folder: string,
  note: (text: string) => void,
): Promise<{ tables: StateTable[]; files: SpooledFile[] }> {
  const tables: StateTable[] = [];
  const files: SpooledFile[] = [];
  for (const table of await stateTables(db)) {
    const { rows, sums } = await sumsOf(db, table);
    const stored: StateTable['files'] = [];
    const lengthOf = (lines: string[]) => lines.reduce((sum, line) => sum + line.length, 0);
    for await (const part of cut(readRows(db, table), lengthOf, PART_BYTES)) {
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
