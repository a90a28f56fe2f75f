import type { ClickHouse } from './client.ts';

/** Days that rows are kept; null for ever. */
export type KeptDays = Readonly<Record<'events' | 'postbacks', number | null>>;

/**
 * Lets the tables keep their rows so long and no longer. Events go by whole months, so up to a month later: their sums go
 * with them, and no report ever sees half of a day. A table that is so already is left alone.
 */
export async function keepFor(clickhouse: ClickHouse, keptDays: KeptDays): Promise<void> {
  for (const table of ['events', 'postbacks'] as const) {
    const days = keptDays[table];
    const [row] = await clickhouse.query<{ sql: string }>(
      'select create_table_query as sql from system.tables where database = currentDatabase() and name = {table:String}',
      { table },
    );
    const [, ttl = ''] = row?.sql.split('TTL ', 2) ?? [];
    const present = /toIntervalDay\((\d+)\)/.exec(ttl)?.[1];
    if ((present === undefined ? null : Number(present)) === days) continue;
    await clickhouse.command(
      days === null
        ? `alter table ${table} remove ttl`
        : `alter table ${table} modify ttl toDateTime(time) + toIntervalDay(${days})`,
    );
  }
}
