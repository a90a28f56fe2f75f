import type { ClickHouseClient } from '@clickhouse/client';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { createChdbConnection } from 'chdb/connection';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { OpenStream } from './embedded-streams.ts';
import { embeddedStreams } from './embedded-streams.ts';
import { shareWaiting } from '../jobs/share-waiting.ts';
import type { SmallMemory } from '../memory.ts';
import { openWithin } from './embedded-memory.ts';

export type RowFormat = 'JSON' | 'JSONCompact';

/** One document is parsed at once; a row a line would be thousands of small texts. */
interface Answer {
  data: unknown[];
  /** What went wrong when a part of the answer was written already. */
  exception?: string;
}

/** The event database, as much of it as the product uses. */
export interface ClickHouse {
  /**
   * Rows of a SELECT, as objects or, compact, as arrays. `{name:Type}` in the text is bound from `params`; nothing else of
   * a request belongs in the text. Rows may be shared: they are not to be changed. `settings` bound what the query may take;
   * beyond them it throws {@link QueryTooLarge}.
   */
  query<Row>(
    sql: string,
    params?: Record<string, unknown>,
    format?: RowFormat,
    settings?: QuerySettings,
  ): Promise<readonly Row[]>;
  /**
   * A long answer, a block at a time; what it has not given yet is given up when its reader stops. CSV has no names. Throws
   * {@link QueryTooLarge}.
   */
  stream: OpenStream;
  insert(table: string, rows: readonly object[]): Promise<void>;
  command(sql: string): Promise<void>;
  /** True when the server answers; always for the engine in this process. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Queries at once; others wait their turn. In this process each takes a thread that files are written by too, and memory:
 * more of them than there are cores make every one slower, and hold up the event log.
 */
const EMBEDDED_QUERIES = 3;
const SMALL_QUERIES = 2;
const SERVER_QUERIES = 32;

/** A line that was cut silently fails what was asked on it after this. */
const REQUEST_TIMEOUT_MS = 30_000;
const PING_TIMEOUT_MS = 2000;

/** Settings of ClickHouse that bound one query, by name. */
export type QuerySettings = Readonly<Record<string, number>>;

/** A query needs more rows, memory or time than its settings allow. */
export class QueryTooLarge extends Error {}

/** TOO_MANY_ROWS, TIMEOUT_EXCEEDED, MEMORY_LIMIT_EXCEEDED, TOO_MANY_BYTES, TOO_MANY_ROWS_OR_BYTES */
const TOO_LARGE = new Set(['158', '159', '241', '307', '396']);

/** The error of the engine, or {@link QueryTooLarge} for it. */
function asQueryError(error: unknown): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  // A client's own codes are words; the engine's number is in the text then.
  const isTooLarge = TOO_LARGE.has(code) || TOO_LARGE.has(/\bCode: (\d+)\./.exec(message)?.[1] ?? '');
  return isTooLarge ? new QueryTooLarge(message, { cause: error }) : error;
}

/**
 * The answer in a text. After a query that failed while it was answered, chDB puts what that one had written already before
 * the next answer, whoever asked for it: the last document is the query's own. Within a document a line break is escaped.
 */
function answerIn(text: string): Answer {
  return JSON.parse(text.slice(Math.max(0, text.lastIndexOf('{\n\t"meta":\n')))) as Answer;
}

/** The SETTINGS clause of a query. */
export function settingsText(settings: QuerySettings): string {
  return `SETTINGS ${Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ')}`;
}

/** Another process has the data folder open; the message says so to a person. */
export class DataFolderInUse extends Error {}
/** The data folder cannot be opened for a reason of its own; the message says so to a person. */
export class DataFolderUnusable extends Error {}

/** Where ClickHouse is: a server at `url`, or chDB in this process under `dataDir`. */
export interface ClickHouseOptions {
  url?: string | undefined;
  dataDir: string;
  /** What chDB may take where memory is small. */
  memory?: SmallMemory | null;
}

/**
 * ClickHouse as it is. A server is first asked for with the first query. A process opens one chDB folder at a time. Throws
 * {@link DataFolderInUse} and {@link DataFolderUnusable}.
 */
export async function connectClickHouse({
  url,
  dataDir,
  memory = null,
}: ClickHouseOptions): Promise<ClickHouse> {
  const { client, release } = url
    ? { client: serverClient(url), release: () => {} }
    : await embeddedClient(dataDir, memory);
  const usual = { output_format_json_quote_64bit_integers: 0, ...(memory && !url && { max_threads: 1 }) };
  const ask = shareWaiting(pLimit(url ? SERVER_QUERIES : memory ? SMALL_QUERIES : EMBEDDED_QUERIES));
  const openStream: OpenStream = url
    ? (sql, params, format) => serverStream(client, `${sql} FORMAT ${format}`, params)
    : await embeddedStreams(join(dataDir, 'clickhouse'), join(dataDir, 'exports'));
  return {
    async query<Row>(
      sql: string,
      params?: Record<string, unknown>,
      format: RowFormat = 'JSON',
      settings: QuerySettings = {},
    ) {
      // chDB would make a client's settings those of the whole session: they are written into the query instead.
      const query = `${sql} ${settingsText({ ...usual, ...settings })}`;
      // All open pages of a company ask the same when it spends.
      return ask(`${format} ${query} ${JSON.stringify(params)}`, async () => {
        try {
          const result = await client.query({
            query,
            format,
            ...(params && { query_params: params }),
          });
          const { data, exception } = answerIn(await result.text());
          if (exception !== undefined) throw new Error(exception);
          return data as Row[];
        } catch (error) {
          throw asQueryError(error);
        }
      });
    },
    async *stream(sql, params, format) {
      try {
        yield* openStream(sql, params, format);
      } catch (error) {
        throw asQueryError(error);
      }
    },
    async insert(table, rows) {
      await client.insert({ table, values: rows, format: 'JSONEachRow' });
    },
    async command(sql) {
      await client.command({ query: sql });
    },
    async ping() {
      // chDB would answer behind the queries that run: one that is busy would pass for one that is away.
      if (!url) return true;
      return (await client.ping({ select: false, abort_signal: AbortSignal.timeout(PING_TIMEOUT_MS) }))
        .success;
    },
    async close() {
      await client.close();
      release();
    },
  };
}

function serverClient(url: string): ClickHouseClient {
  return createClient({ url, request_timeout: REQUEST_TIMEOUT_MS, log: { level: ClickHouseLogLevel.OFF } });
}

async function embeddedClient(dataDir: string, memory: SmallMemory | null) {
  const path = join(dataDir, 'clickhouse');
  await mkdir(path, { recursive: true });
  try {
    const limits = memory && (await openWithin(memory, path, dataDir));
    const client = createClient({ connection: createChdbConnection({ path }) } as Parameters<
      typeof createClient
    >[0]);
    return { client, release: () => limits?.close() };
  } catch (cause) {
    // chDB prints the engine's own reason and throws a general one.
    if (await isLocked(join(path, 'status')))
      throw new DataFolderInUse(`Another Bidwell process already uses the data folder ${dataDir}.`, {
        cause,
      });
    throw new DataFolderUnusable(
      `The reports' database cannot be opened in ${path}; the line above says why. Is it from a newer version, damaged, or not yours to write?`,
      { cause },
    );
  }
}

/** Whether a process holds a lock on a file; where the system does not say (it is not Linux), it is taken to. */
async function isLocked(file: string): Promise<boolean> {
  const locks = await readFile('/proc/locks', 'utf8').catch(() => null);
  if (locks === null) return true;
  const inode = await stat(file).then(
    ({ ino }) => ino,
    () => null,
  );
  return inode !== null && new RegExp(`:${inode} `).test(locks);
}

async function* serverStream(
  client: ClickHouseClient,
  query: string,
  params: Record<string, unknown>,
): AsyncGenerator<Uint8Array> {
  const given = new AbortController();
  try {
    const { stream } = await client.exec({ query, query_params: params, abort_signal: given.signal });
    yield* stream as AsyncIterable<Buffer>;
  } finally {
    given.abort();
  }
}
