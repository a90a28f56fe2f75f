import type { ClickHouseClient } from '@clickhouse/client';

/** Formats of a streamed result. CSV has no header line. */
export type StreamFormat = 'CSV' | 'JSONCompactEachRow' | 'Parquet' | 'RowBinary';
export type OpenStream = (
  sql: string,
  params: Record<string, unknown>,
  format: StreamFormat,
) => AsyncGenerator<Uint8Array>;

/** Either kind of ClickHouse, opened. */
export interface OpenedClickHouse {
  client: ClickHouseClient;
  openStream: OpenStream;
  /** Releases what the client's own `close` does not. */
  release: () => void;
}
