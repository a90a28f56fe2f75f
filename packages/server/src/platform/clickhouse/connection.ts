import type { ClickHouseClient } from '@clickhouse/client';

/** Formats of a streamed result. CSV has no header line. */
export type StreamFormat = 'CSV' | 'JSONCompactEachRow' | 'Parquet' | 'RowBinary';
export type OpenStream = (
  sql: string,
  params: Record<string, unknown>,
  format: StreamFormat,
) => AsyncGenerator<Uint8Array>;

/** A column of a table, with its type in ClickHouse. */
export interface Column {
  name: string;
  type: string;
}
/** Inserts the rows of a local file: RowBinary, compressed with gzip. Names and types must be trusted. */
export type InsertFile = (table: string, columns: readonly Column[], path: string) => Promise<void>;

/** Either kind of ClickHouse, opened. */
export interface OpenedClickHouse {
  client: ClickHouseClient;
  openStream: OpenStream;
  insertFile: InsertFile;
  /** Why nothing can be stored although it responds, in a sentence; null if it can. */
  fault: () => Promise<string | null>;
  /** Releases resources that the client's own `close` does not. */
  release: () => void;
}

/** Another process has the data folder open; the message is a sentence for people. */
export class DataFolderInUse extends Error {}

/** The data folder cannot be opened for another reason; the message is a sentence for people. */
export class DataFolderUnusable extends Error {}
