import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { PassThrough } from 'node:stream';
import { createGunzip } from 'node:zlib';
import pLimit from 'p-limit';
import { type Cluster, DEFINITION_SECONDS, insertSettings } from './cluster.ts';
import type { InsertFile, OpenStream, OpenedClickHouse } from './connection.ts';
import { shareWaiting } from '../concurrency/share-waiting.ts';
import type { SmallMemory } from '../memory.ts';
import { childSpan } from '../telemetry/tracing.ts';

export type RowFormat = 'JSON' | 'JSONCompact';

/** Response of a query: one JSON document, parsed at once rather than row by row. */
interface QueryResponse {
  data: unknown[];
  /** An error after a part of the result was written. */
  exception?: string;
}

/** The parts of ClickHouse that the product uses. */
export interface ClickHouse {
  /** The cluster that has the tables; null where one server has them. */
  cluster: Cluster | null;
  /**
   * Rows of a SELECT, as objects or, compact, as arrays. `{name:Type}` in the text is bound from `params`; never put
   * request data into the text. Rows may be shared between callers and must not be changed. `settings` limit the query's
   * resources; throws {@link QueryTooLarge} beyond them.
   */
  query<Row>(
    sql: string,
    params?: Record<string, unknown>,
    format?: RowFormat,
    settings?: QuerySettings,
  ): Promise<readonly Row[]>;
  /**
   * Streams a result a block at a time; the query is cancelled when the reader stops. CSV has no header line. Throws
   * {@link QueryTooLarge}.
   */
  stream: OpenStream;
  /** Inserts rows with one statement. All have the properties of the first one, in any order. */
  insert(table: string, rows: readonly object[], options?: InsertOptions): Promise<void>;
  insertFile: InsertFile;
  /** Runs a statement without a result. */
  command(sql: string): Promise<void>;
  /** True when the server responds; for chDB, which is in this process, unless it has a {@link ClickHouse.fault}. */
  ping(): Promise<boolean>;
  /** Why nothing can be stored although ClickHouse responds, in a sentence: the files of chDB were deleted. Null if it can. */
  fault(): Promise<string | null>;
  close(): Promise<void>;
}

/**
 * Limits of concurrent queries; others wait. Each query of chDB takes memory and a thread that file writes use too: more
 * of them than there are cores slow all of them down, and delay the event log.
 */
const EMBEDDED_QUERIES = 3;
const SMALL_QUERIES = 2;
const SERVER_QUERIES = 32;

/** Requests on a silently cut connection fail after this time. */
const REQUEST_TIMEOUT_MS = 30_000;
const PING_TIMEOUT_MS = 2000;

/** Options of an insert. */
export interface InsertOptions {
  /** Breaks it off when aborted: whether it was carried out is then unknown. */
  signal?: AbortSignal | undefined;
  /**
   * A UUID: the insert stores nothing if an earlier one had the same, in each partition of the table by itself. Up to
   * 50,000 rows, and with tables that store tokens (`insertTokens` of the migrations).
   */
  token?: string | undefined;
}

/** Settings of ClickHouse that limit one query, by name. */
export type QuerySettings = Readonly<Record<string, number>>;

/** The query exceeded the rows, memory or time of its settings. */
export class QueryTooLarge extends Error {}

/** TOO_MANY_ROWS, TIMEOUT_EXCEEDED, MEMORY_LIMIT_EXCEEDED, TOO_MANY_BYTES, TOO_MANY_ROWS_OR_BYTES */
const TOO_LARGE = new Set(['158', '159', '241', '307', '396']);

/** Maps errors of exceeded limits to {@link QueryTooLarge}; returns others unchanged. */
function asQueryError(error: unknown): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  // The client's own codes are words; ClickHouse's number is then in the message.
  const isTooLarge = TOO_LARGE.has(code) || TOO_LARGE.has(/\bCode: (\d+)\./.exec(message)?.[1] ?? '');
  return isTooLarge ? new QueryTooLarge(message, { cause: error }) : error;
}

/**
 * Parses a query's response. After a query that failed while it wrote its result, chDB puts that partial result before
 * the next response, whichever query that belongs to, so only the last document counts. Line breaks within a document are
 * escaped.
 */
function responseIn(text: string): QueryResponse {
  return JSON.parse(text.slice(Math.max(0, text.lastIndexOf('{\n\t"meta":\n')))) as QueryResponse;
}

/** The SETTINGS clause of a query. */
export function settingsText(settings: Readonly<Record<string, string | number>>): string {
  return `SETTINGS ${Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ')}`;
}

/** Settings of an insert with a token. Its rows form one block, to which the token belongs. */
function tokenSettings(token: string): Record<string, string | number> {
  return { insert_deduplicate: 1, async_insert: 0, insert_deduplication_token: `'${token}'` };
}

function insertText(settings: Record<string, string | number>): string {
  return Object.keys(settings).length > 0 ? ` ${settingsText(settings)}` : '';
}

const DEFAULT_DATABASE = 'default';

/** The database in the address of a server. */
function databaseOf(url: string | undefined): string {
  return (url && decodeURIComponent(new URL(url).pathname).replaceAll('/', '')) || DEFAULT_DATABASE;
}

/** Options of ClickHouse: a server at `url`, or chDB in this process under `dataDir`. */
export interface ClickHouseOptions {
  url?: string | undefined;
  dataDir: string;
  /** Name of the cluster of the server at `url` that has the tables; undefined where the server itself has them. */
  cluster?: string | undefined;
  /** Limits of chDB where memory is small. */
  memory?: SmallMemory | null;
  /** Longest time without a byte from a server at `url`, in ms: 30 seconds by default. */
  requestTimeoutMs?: number;
}

/**
 * Opens ClickHouse without migrating it. A server is contacted with the first query. A process opens one chDB folder at a
 * time. Throws {@link DataFolderInUse} and {@link DataFolderUnusable}.
 */
export async function connectClickHouse({
  url,
  dataDir,
  cluster: clusterName,
  memory = null,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
}: ClickHouseOptions): Promise<ClickHouse> {
  const cluster = clusterName === undefined ? null : { name: clusterName, database: databaseOf(url) };
  const { client, release, openStream, insertFile, fault } = url
    ? openServer(url, requestTimeoutMs)
    : await openEmbedded(dataDir, memory);
  const defaults = { output_format_json_quote_64bit_integers: 0, ...(memory && !url && { max_threads: 1 }) };
  const limited = shareWaiting(pLimit(url ? SERVER_QUERIES : memory ? SMALL_QUERIES : EMBEDDED_QUERIES));
  return {
    cluster,
    async query<Row>(
      sql: string,
      params?: Record<string, unknown>,
      format: RowFormat = 'JSON',
      settings: QuerySettings = {},
    ) {
      // chDB would apply the client's settings to the whole session, so they are written into the query.
      const query = `${sql} ${settingsText({ ...defaults, ...settings })}`;
      // All open pages of a company send the same query when it spends.
      return limited(`${format} ${query} ${JSON.stringify(params)}`, async () => {
        try {
          const result = await client.query({
            query,
            format,
            ...(params && { query_params: params }),
          });
          const { data, exception } = responseIn(await result.text());
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
    async insert(table, rows, { signal, token } = {}) {
      // chDB would write into a folder that it does not find again when it starts.
      const reason = await fault();
      if (reason !== null) throw new Error(reason);
      const columns = Object.keys(rows[0] ?? {});
      await client.insert({
        // Settings are part of the statement, like the settings of queries.
        table: `${table} (${columns.join(', ')})${insertText({ ...insertSettings(cluster), ...(token !== undefined && tokenSettings(token)) })}`,
        // Arrays are half as long as objects, whose names ClickHouse would also have to parse.
        values: rows.map((row) => columns.map((column) => row[column as keyof typeof row])),
        format: 'JSONCompactEachRow',
        ...(signal && { abort_signal: signal }),
      });
    },
    insertFile,
    async command(sql) {
      await client.command({
        query: sql,
        ...(cluster && { clickhouse_settings: { distributed_ddl_task_timeout: String(DEFINITION_SECONDS) } }),
      });
    },
    async ping() {
      // chDB would respond only after running queries, so a busy one would look unavailable.
      if (!url) return (await fault()) === null;
      return (await client.ping({ select: false, abort_signal: AbortSignal.timeout(PING_TIMEOUT_MS) }))
        .success;
    },
    fault,
    async close() {
      await client.close();
      release();
    },
  };
}

function openServer(url: string, requestTimeoutMs: number): OpenedClickHouse {
  const client = createClient({
    url,
    request_timeout: requestTimeoutMs,
    log: { level: ClickHouseLogLevel.OFF },
  });
  const openStream: OpenStream = (sql, params, format) =>
    serverStream(client, `${sql} FORMAT ${format}`, params);
  const insertFile: InsertFile = async (table, columns, path) => {
    const values = new PassThrough();
    const query = `insert into ${table} (${columns.map(({ name }) => name).join(', ')}) format RowBinary`;
    const send = async () => {
      const { stream } = await client.exec({ query, values });
      await pipeline(stream, new PassThrough().resume());
    };
    await Promise.all([send(), pipeline(createReadStream(path), createGunzip(), values)]);
  };
  return { client, openStream, insertFile, fault: async () => null, release: () => {} };
}

/** Opens chDB, which is loaded only here: it takes memory, and an image for external servers does not contain it. */
async function openEmbedded(dataDir: string, memory: SmallMemory | null): Promise<OpenedClickHouse> {
  const { openChdb } = await import('./embedded.ts');
  return openChdb(dataDir, memory);
}

async function* serverStream(
  client: ClickHouseClient,
  query: string,
  params: Record<string, unknown>,
): AsyncGenerator<Uint8Array> {
  const controller = new AbortController();
  try {
    const { stream } = await client.exec({ query, query_params: params, abort_signal: controller.signal });
    yield* stream as AsyncIterable<Buffer>;
  } finally {
    controller.abort();
  }
}

const SYSTEM = { 'db.system.name': 'clickhouse' };

/** The same client, whose queries and inserts are parts of the traces that cause them. */
export function traced(clickhouse: ClickHouse): ClickHouse {
  return {
    ...clickhouse,
    query: async (sql, ...more) =>
      childSpan('clickhouse query', { ...SYSTEM, 'db.query.text': sql }, async () =>
        clickhouse.query(sql, ...more),
      ),
    insert: async (table, rows, ...more) =>
      childSpan(
        `clickhouse insert ${table}`,
        { ...SYSTEM, 'db.operation.batch.size': rows.length },
        async () => clickhouse.insert(table, rows, ...more),
      ),
  };
}
