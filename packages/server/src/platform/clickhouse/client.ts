import type { ClickHouseClient } from '@clickhouse/client';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { createChdbConnection } from 'chdb/connection';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenStream } from './embedded-streams.ts';
import { embeddedStreams } from './embedded-streams.ts';
import { atMost, sharedInTurn } from '../jobs/at-most.ts';
import { migrate } from './migrate.ts';

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
   * a request belongs in the text. Rows may be shared: they are not to be changed.
   */
  query<Row>(sql: string, params?: Record<string, unknown>, format?: RowFormat): Promise<readonly Row[]>;
  /** A long answer, a block at a time; what it has not given yet is given up when its reader stops. CSV has no names. */
  stream: OpenStream;
  insert(table: string, rows: readonly object[]): Promise<void>;
  command(sql: string): Promise<void>;
  /** True when the engine answers. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Queries at once; others wait their turn. In this process each takes a thread that files are written by too, and memory:
 * more of them than there are cores make every one slower, and hold up the event log.
 */
const EMBEDDED_QUERIES = 3;
const SERVER_QUERIES = 32;

/** A line that was cut silently fails what was asked on it after this. */
const REQUEST_TIMEOUT_MS = 30_000;
const PING_TIMEOUT_MS = 2000;

/** Another process has the data folder open; the message says so to a person. */
export class DataFolderInUse extends Error {}

/** Where ClickHouse is: a server at `url`, or chDB in this process under `dataDir`. */
export interface ClickHouseOptions {
  url?: string | undefined;
  dataDir: string;
}

/** Opens ClickHouse as {@link connectClickHouse} does, and brings it to the newest migration. */
export async function openClickHouse(options: ClickHouseOptions): Promise<ClickHouse> {
  const clickhouse = await connectClickHouse(options);
  try {
    await migrate(clickhouse);
  } catch (error) {
    await clickhouse.close();
    throw error;
  }
  return clickhouse;
}

/**
 * ClickHouse as it is. A server is first asked for with the first query. A process opens one chDB folder at a time. Throws
 * {@link DataFolderInUse}.
 */
export async function connectClickHouse({ url, dataDir }: ClickHouseOptions): Promise<ClickHouse> {
  const client = url
    ? createClient({ url, request_timeout: REQUEST_TIMEOUT_MS, log: { level: ClickHouseLogLevel.OFF } })
    : await embeddedClient(dataDir);
  const ask = sharedInTurn(atMost(url ? SERVER_QUERIES : EMBEDDED_QUERIES));
  return {
    async query<Row>(sql: string, params?: Record<string, unknown>, format: RowFormat = 'JSON') {
      // chDB would make a client's settings those of the whole session: they are written into the query instead.
      const query = `${sql} SETTINGS output_format_json_quote_64bit_integers = 0`;
      // All open pages of a company ask the same when it spends.
      return ask(`${format} ${sql} ${JSON.stringify(params)}`, async () => {
        const result = await client.query({
          query,
          format,
          ...(params && { query_params: params }),
        });
        const { data, exception } = (await result.json()) as unknown as Answer;
        if (exception !== undefined) throw new Error(exception);
        return data as Row[];
      });
    },
    stream: url
      ? (sql, params, format) => serverStream(client, `${sql} FORMAT ${format}`, params)
      : await embeddedStreams(join(dataDir, 'clickhouse'), join(dataDir, 'exports')),
    async insert(table, rows) {
      await client.insert({ table, values: rows, format: 'JSONEachRow' });
    },
    async command(sql) {
      await client.command({ query: sql });
    },
    async ping() {
      return (await client.ping({ select: false, abort_signal: AbortSignal.timeout(PING_TIMEOUT_MS) }))
        .success;
    },
    async close() {
      await client.close();
    },
  };
}

async function embeddedClient(dataDir: string) {
  const path = join(dataDir, 'clickhouse');
  await mkdir(path, { recursive: true });
  try {
    return createClient({ connection: createChdbConnection({ path }) } as Parameters<typeof createClient>[0]);
  } catch (error) {
    // chDB prints the engine's own reason and throws a general one; a folder that opens for nobody else is in use.
    throw new DataFolderInUse(`Another Bidwell process already uses the data folder ${dataDir}.`, {
      cause: error,
    });
  }
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
