import { join } from 'node:path';
import type { ClickHouse } from '../platform/clickhouse/client.ts';
import { BackupFailed } from './backup-failed.ts';
import { type MonthOfEvents, columnsOf, monthsOf, streamMonth } from './event-tables-store.ts';
import type { EventPart, EventTable } from './manifest.ts';
import {
  type RowOf,
  type Rows,
  inReadingOrder,
  isTimeUuid,
  msOfUuid,
  rowBinaryHex,
  rowReader,
} from './row-binary.ts';
import { type SpooledFile, cut, writtenFile } from './spool-state.ts';

const PART_BYTES = 64 * 1024 ** 2;
/** Differences of clocks that are allowed for. */
const CLOCKS_MS = 3_600_000;

/** Age of an entity's id before the snapshot from which the entity is in it without a look-up. */
export const KNOWN_BEFORE_MS = 2 * CLOCKS_MS;

/**
 * Leaves out events of campaigns and ad sets that were created after the snapshot: the restored ledger could not post them.
 * `recent` are the campaigns and ad sets created in the {@link KNOWN_BEFORE_MS} before the snapshot.
 */
export function ofKnownEntities(atMs: number, recent: readonly string[]): (row: RowOf) => boolean {
  const known = new Set(recent.map(rowBinaryHex));
  const isKnown = (id: Buffer): boolean =>
    !isTimeUuid(id) || msOfUuid(id) < atMs - CLOCKS_MS || known.has(id.toString('hex'));
  return (row) =>
    msOfUuid(row('bid_id')) < atMs - CLOCKS_MS || (isKnown(row('campaign_id')) && isKnown(row('adset_id')));
}

/**
 * Writes a table into files of `folder`, one after the other; each is to be taken before the next one is requested. Fills
 * `described` with the written files. Throws {@link BackupFailed} where ClickHouse breaks off.
 */
export async function* spoolEvents(
  clickhouse: ClickHouse,
  described: EventTable,
  { folder, isIncluded }: { folder: string; isIncluded: ((row: RowOf) => boolean) | null },
): AsyncGenerator<SpooledFile> {
  const { table } = described;
  described.columns = inReadingOrder(await columnsOf(clickhouse, table));
  for (const month of await monthsOf(clickhouse, table)) {
    const rows = rowsOf(clickhouse, described, month, isIncluded);
    for await (const part of cut(rows, bytesOf, PART_BYTES)) {
      const number = described.parts.filter((other) => other.month === month.month).length + 1;
      const name = `${month.month}-${String(number).padStart(4, '0')}.rowbinary.gz`;
      const path = join(folder, `${table}-${name}`);
      const sum = { rows: 0, spend_micros: 0 };
      const digest = await writtenFile(path, summed(part, sum), { isCompressed: true });
      const { bytes, sha256 } = digest;
      const entry: EventPart = { file: `${table}/${name}`, bytes, sha256, month: month.month, ...sum };
      described.parts.push(entry);
      yield { file: entry.file, path, digest };
    }
  }
}

const bytesOf = ({ bytes }: Rows): number => bytes.reduce((sum, { length }) => sum + length, 0);

async function* summed(rows: AsyncIterable<Rows>, sum: { rows: number; spend_micros: number }) {
  for await (const found of rows) {
    sum.rows += found.rows;
    sum.spend_micros += found.spendMicros;
    yield* found.bytes;
  }
}

async function* rowsOf(
  clickhouse: ClickHouse,
  { table, columns }: EventTable,
  { month, rows: least }: MonthOfEvents,
  isIncluded: ((row: RowOf) => boolean) | null,
): AsyncGenerator<Rows> {
  let seen = 0;
  const reader = rowReader(columns, (row) => {
    seen += 1;
    return !isIncluded || isIncluded(row);
  });
  for await (const chunk of streamMonth(clickhouse, table, month, columns)) {
    const found = reader.push(chunk);
    if (found.rows > 0) yield found;
  }
  // An error after the beginning of a result looks like its end, or like a part of a row.
  if (!reader.isComplete() || seen < least)
    throw new BackupFailed(
      `ClickHouse broke off while it sent ${table} of ${month} (${seen} of at least ${least} rows): repeat the backup.`,
    );
}
