import { escapeFormula } from '@bidwell/contract/lib/csv';
import { ByteWriter, parquetWrite } from 'hyparquet-writer';
import { eventLoopShare } from '../../platform/concurrency/yielding.ts';

/** The value of a CSV cell; null is an empty cell. */
export type CsvCell = string | number | null;

/** Begins a CSV file that people open: by it spreadsheets read the file as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/**
 * A line of a CSV file with its end (RFC 4180). Numbers have at most six decimals. Texts are safe in a spreadsheet, see
 * {@link escapeFormula}; texts changed for that are quoted, as are texts that begin or end with a space. It takes half of the processor
 * time of `csv-stringify`, 5.6 instead of 12.8 µs for 12 cells, in the process that also bids.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(Number(cell.toFixed(6)));
  const text = escapeFormula(cell);
  return /[",\r\n]|^\s|\s$/.test(text) || text !== cell ? `"${text.replaceAll('"', '""')}"` : text;
}

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
  // Without the statistics of each group, which are all written at the end: readers skip groups by them.
  await parquetWrite({ writer, columnData, rowGroupSize: GROUP_ROWS, statistics: false });
  return new Uint8Array(writer.getBuffer());
}
