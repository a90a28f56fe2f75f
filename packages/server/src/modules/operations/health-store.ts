import { sql } from 'kysely';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

/** Bytes of this database. */
export async function postgresBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select pg_database_size(current_database()) as bytes`.execute(db);
  return Number(rows[0]!.bytes);
}

/** Bytes of this database's tables on disk, on the server that runs the query. */
export async function clickhouseBytes(clickhouse: ClickHouse): Promise<number> {
  const rows = await clickhouse.query<{ bytes: number | string }>(
    'select sum(bytes_on_disk) as bytes from system.parts where active and database = currentDatabase()',
  );
  return Number(rows[0]?.bytes ?? 0);
}

/** Free part of the fullest disk of the ClickHouse servers. */
export async function clickhouseFreeRatio(clickhouse: ClickHouse): Promise<number | null> {
  const { cluster } = clickhouse;
  const disks = cluster ? `clusterAllReplicas('${cluster.name}', 'system', 'disks')` : 'system.disks';
  const rows = await clickhouse.query<{ ratio: number | null }>(
    `select minOrNull(free_space / total_space) as ratio from ${disks} where total_space > 0`,
  );
  return rows[0]?.ratio ?? null;
}

/** When the first tables were made. */
export async function installedAt(db: Db): Promise<Date> {
  const { rows } = await sql<{ at: string }>`select min(timestamp) as at from kysely_migration`.execute(db);
  return new Date(rows[0]!.at);
}

/** When the last complete backup was made. */
export async function lastBackupAt(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('operator_acts')
    .select('created_at')
    .where('entity', '=', 'backup')
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  return row?.created_at;
}
