import type { ClickHouse } from './client.ts';
import { localTable } from './cluster.ts';
import { define } from './migrate.ts';

/** Retention in days; null is unlimited. */
export type RetentionDays = Readonly<Record<'events' | 'postbacks', number | null>>;

/**
 * Sets the retention (TTL) of the tables. Events are deleted by whole months, so up to a month later: their aggregates
 * are deleted with them, and no report shows part of a day. A table that has the retention already is left unchanged.
 */
export async function setRetention(clickhouse: ClickHouse, retentionDays: RetentionDays): Promise<void> {
  for (const table of ['events', 'postbacks'] as const) {
    const days = retentionDays[table];
    const [row] = await clickhouse.query<{ sql: string }>(
      'select create_table_query as sql from system.tables where database = currentDatabase() and name = {table:String}',
      { table: localTable(clickhouse.cluster, table) },
    );
    const [, ttl = ''] = row?.sql.split('TTL ', 2) ?? [];
    const present = /toIntervalDay\((\d+)\)/.exec(ttl)?.[1];
    if ((present === undefined ? null : Number(present)) === days) continue;
    await define(
      clickhouse,
      days === null
        ? `alter table ${table} remove ttl`
        : `alter table ${table} modify ttl toDateTime(time) + toIntervalDay(${days})`,
    );
  }
}
