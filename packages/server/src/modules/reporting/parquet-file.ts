import { ByteWriter, parquetWrite } from 'hyparquet-writer';
import { eventLoopShare } from '../../platform/concurrency/yielding.ts';

/** A column of a table, with its type in a Parquet file. */
export interface TableColumn {
  name: string;
  type: 'STRING' | 'INT32' | 'DOUBLE';
}

type Cell = string | number | null;

/** Rows that are encoded at once, in a few milliseconds: bids have a deadline of ten. */
const GROUP_ROWS = 250;

/**
 * A small table as a Parquet file, in memory; null is a value that is not known. Yields to the event loop between groups of rows.
 * Larger tables are written by ClickHouse.
 */
export async function parquetFile(
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
): Promise<Uint8Array> {
  const share = eventLoopShare();
  const flush = () => new Promise<void>((resume) => void setImmediate(resume));
  const writer = Object.assign(new ByteWriter(), { flush });
  const columnData: (TableColumn & { data: Cell[] })[] = [];
  for (const [at, column] of columns.entries()) {
    await share();
    columnData.push({ ...column, data: rows.map((row) => row[at] ?? null) });
  }
  // Without the statistics of each group, of which all are written at the end at once: readers skip groups by them.
  await parquetWrite({ writer, columnData, rowGroupSize: GROUP_ROWS, statistics: false });
  return new Uint8Array(writer.getBuffer());
}
