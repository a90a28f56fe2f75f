import type { ClickHouse } from '../platform/clickhouse/client.ts';
import type { EventColumn, EventTable } from './manifest.ts';

type Table = EventTable['table'];

/** The tables of ClickHouse that a backup has. */
export const EVENT_TABLES: readonly Table[] = ['events', 'postbacks'];

/** Rows and spend of a month, which is such as 202611. */
export interface MonthOfEvents {
  month: number;
  rows: number;
  /** Micros; 0 in a table without spend. */
  spendMicros: number;
}

/** The columns of a table, in its order. */
export async function columnsOf(clickhouse: ClickHouse, table: Table): Promise<EventColumn[]> {
  const rows = await clickhouse.query<EventColumn>(
    `select name, type from system.columns
     where database = currentDatabase() and table = {table:String} order by position`,
    { table },
  );
  return [...rows];
}

const spendOf = (table: Table): string => (table === 'events' ? 'sum(spend_micros)' : '0');

/** Rows and spend of a table by month, the oldest first. Covers all companies. */
export async function monthsOf(clickhouse: ClickHouse, table: Table): Promise<readonly MonthOfEvents[]> {
  return clickhouse.query<MonthOfEvents>(
    `select toYYYYMM(time) as month, count() as rows, ${spendOf(table)} as spendMicros
     from ${table} group by month order by month`,
  );
}

/** Streams the rows of a month as RowBinary. Covers all companies. */
export function streamMonth(
  clickhouse: ClickHouse,
  table: Table,
  month: number,
  columns: readonly EventColumn[],
): AsyncGenerator<Uint8Array> {
  const names = columns.map(({ name }) => name).join(', ');
  return clickhouse.stream(
    `select ${names} from ${table} where toYYYYMM(time) = {month:UInt32} settings max_threads = 2`,
    { month },
    'RowBinary',
  );
}

/** Whether a table exists and has rows. */
export async function hasRows(clickhouse: ClickHouse, table: Table): Promise<boolean> {
  const [exists] = await clickhouse.query<{ count: number }>(
    'select count() as count from system.tables where database = currentDatabase() and name = {table:String}',
    { table },
  );
  if (!exists?.count) return false;
  const [row] = await clickhouse.query<{ count: number }>(`select count() as count from ${table}`);
  return (row?.count ?? 0) > 0;
}

/** Drops the tables of an interrupted restore. */
export async function dropEvents(clickhouse: ClickHouse): Promise<void> {
  for (const table of [...EVENT_TABLES, 'schema_migrations'])
    await clickhouse.command(`drop table if exists ${table} sync`);
}

/** Spend of a company on a day of UTC, in micros. */
export interface DayOfSpend {
  company: string;
  day: string;
  spendMicros: number;
}

/** Spend of a month by company and day of UTC, without test bids. Covers all companies. */
export async function spendByDay(clickhouse: ClickHouse, month: number): Promise<readonly DayOfSpend[]> {
  return clickhouse.query<DayOfSpend>(
    `select company_id as company, toDate(time) as day, sum(spend_micros) as spendMicros
     from events where toYYYYMM(time) = {month:UInt32} and test = 0
     group by company_id, toDate(time) order by company_id, day`,
    { month },
  );
}
