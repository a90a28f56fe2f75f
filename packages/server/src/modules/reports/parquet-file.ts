import { ByteWriter, parquetWrite } from 'hyparquet-writer';

/** A column of a table, with its type in a Parquet file. */
export interface TableColumn {
  name: string;
  type: 'STRING' | 'INT32' | 'DOUBLE';
}

/** Rows that are encoded at once, in a few milliseconds: bids have a deadline of ten. */
const GROUP_ROWS = 250;

/**
 * A small table as a Parquet file, in memory; null is a value that is not known. Yields to the event loop between groups of rows.
 * Larger tables are written by ClickHouse.
 */
export async function parquetFile(
  columns: readonly TableColumn[],
  rows: readonly (readonly (string | number | null)[])[],
): Promise<Uint8Array> {
  const flush = () => new Promise<void>((resume) => void setImmediate(resume));
  const writer = Object.assign(new ByteWriter(), { flush });
  const columnData = columns.map((column, at) => ({ ...column, data: rows.map((row) => row[at] ?? null) }));
  await parquetWrite({ writer, columnData, rowGroupSize: GROUP_ROWS });
  return new Uint8Array(writer.getBuffer());
}
