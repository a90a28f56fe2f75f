import { Session } from 'chdb';
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { InsertFile, OpenStream } from './opened.ts';

/** Limit of concurrent streams; others wait. */
const STREAMS = 2;

/**
 * Streams query results of chDB a block at a time; its client would hold them whole in memory. `path` is chDB's folder,
 * `exports` one for temporary files, emptied at start.
 */
export async function embeddedStreams(path: string, exports: string): Promise<OpenStream> {
  await rm(exports, { recursive: true, force: true });
  await mkdir(exports, { recursive: true });
  const inTurn = turns(STREAMS);
  return async function* stream(sql, params, format) {
    const done = await inTurn();
    // A session supports one stream; sessions of a folder share its engine.
    const session = new Session(path);
    try {
      if (format === 'Parquet') yield* throughFile(session, join(exports, randomUUID()), sql, params);
      else for await (const chunk of session.queryStreamBind(sql, params, { format })) yield chunk.raw();
    } finally {
      session.cleanup();
      done();
    }
  };
}

/**
 * Writes a Parquet result to a file first: its index is at the end, and streamed blocks would each be a file of their
 * own.
 */
async function* throughFile(
  session: Session,
  file: string,
  sql: string,
  params: Record<string, unknown>,
): AsyncGenerator<Uint8Array> {
  try {
    await session.queryBindAsync(`insert into function file(${quoted(file)}, 'Parquet') ${sql}`, params);
    yield* createReadStream(file) as AsyncIterable<Buffer>;
  } finally {
    await rm(file, { force: true });
  }
}

/** Inserts files into the tables of chDB, which reads them a block at a time. `path` is chDB's folder. */
export function embeddedFiles(path: string): InsertFile {
  return async (table, columns, file) => {
    const session = new Session(path);
    const names = columns.map(({ name }) => name).join(', ');
    const structure = columns.map(({ name, type }) => `${name} ${type}`).join(', ');
    try {
      await session.queryBindAsync(
        `insert into ${table} (${names})
         select ${names} from file(${quoted(file)}, 'RowBinary', ${quoted(structure)}, 'gzip')`,
        {},
      );
    } finally {
      session.cleanup();
    }
  };
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Concurrency limit for generators: resolves in turn with a function that ends the turn. */
function turns(count: number): () => Promise<() => void> {
  const inTurn = pLimit(count);
  return () =>
    new Promise((begin) => {
      void inTurn(() => new Promise<void>((done) => begin(done)));
    });
}
