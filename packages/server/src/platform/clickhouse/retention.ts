import type { ClickHouse } from './client.ts';
import { localTable } from './cluster.ts';
import { define } from './migrate.ts';

/** Retention in days; null is unlimited. */
export type RetentionDays = Readonly<Record<'events' | 'postbacks', number | null>>;

/**
 * Sets the retention (TTL) of the tables. Events are deleted by whole months, so up to a month later: their aggregates
 * are deleted with them, and no report shows part of a day. A table that has the retention already is left unchanged.
 * `alone` is as for migrations: it runs the changes while no other process changes tables.
 */
export async function setRetention(
  clickhouse: ClickHouse,
  retentionDays: RetentionDays,
  alone = async (work: () => Promise<void>): Promise<void> => work(),
): Promise<void> {
  const isSet = async (): Promise<boolean> =>
    (await retentionOf(clickhouse, 'events')) === retentionDays.events &&
    (await retentionOf(clickhouse, 'postbacks')) === retentionDays.postbacks;
  if (!(await isSet())) await alone(() => changeRetention(clickhouse, retentionDays));
}

async function retentionOf(clickhouse: ClickHouse, table: keyof RetentionDays): Promise<number | null> {
  const [row] = await clickhouse.query<{ sql: string }>(
    'select create_table_query as sql from system.tables where database = currentDatabase() and name = {table:String}',
    { table: localTable(clickhouse.cluster, table) },
  );
  const [, ttl = ''] = row?.sql.split('TTL ', 2) ?? [];
  const days = /toIntervalDay\((\d+)\)/.exec(ttl)?.[1];
  return days === undefined ? null : Number(days);
}

async function changeRetention(clickhouse: ClickHouse, retentionDays: RetentionDays): Promise<void> {
  for (const table of ['events', 'postbacks'] as const) {
    const days = retentionDays[table];
    if ((await retentionOf(clickhouse, table)) === days) continue;
    await define(
      clickhouse,
      days === null
        ? `alter table ${table} remove ttl`
        : `alter table ${table} modify ttl toDateTime(time) + toIntervalDay(${days})`,
    );
  }
}
