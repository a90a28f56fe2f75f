import { Session } from 'chdb';
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';

/** Formats of a long answer. CSV has no line of names. */
export type StreamFormat = 'CSV' | 'JSONCompactEachRow' | 'Parquet' | 'RowBinary';
export type OpenStream = (
  sql: string,
  params: Record<string, unknown>,
  format: StreamFormat,
) => AsyncGenerator<Uint8Array>;

/** Long answers at once; others wait. */
const STREAMS = 2;

/**
 * Long answers of the engine in this process, a block at a time: its client would hold them whole. `path` is the engine's
 * folder, `exports` one for files on their way, emptied at start.
 */
export async function embeddedStreams(path: string, exports: string): Promise<OpenStream> {
  await rm(exports, { recursive: true, force: true });
  await mkdir(exports, { recursive: true });
  const inTurn = turns(STREAMS);
  return async function* stream(sql, params, format) {
    const done = await inTurn();
    // One session has one stream; sessions of a folder share its engine.
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

/** Parquet has its index at its end, and a block at a time would be a file at a time: it is written first, then read. */
async function* throughFile(
  session: Session,
  file: string,
  sql: string,
  params: Record<string, unknown>,
): AsyncGenerator<Uint8Array> {
  try {
    await session.queryBindAsync(
      `insert into function file('${file.replaceAll("'", "\\'")}', 'Parquet') ${sql}`,
      params,
    );
    yield* createReadStream(file) as AsyncIterable<Buffer>;
  } finally {
    await rm(file, { force: true });
  }
}

/** Resolves in turn; whoever had its turn says when it is done. */
function turns(count: number): () => Promise<() => void> {
  const inTurn = pLimit(count);
  return () =>
    new Promise((begin) => {
      void inTurn(() => new Promise<void>((done) => begin(done)));
    });
}
