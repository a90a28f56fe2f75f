import { sql } from 'kysely';
import { anyTextOf } from '../../../platform/postgres/client.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** Whether a company is suspended. */
export async function isSuspended(db: Db, companyId: string): Promise<boolean> {
  const row = await db
    .selectFrom('companies')
    .select('suspended_at')
    .where('uuid', '=', companyId)
    .executeTakeFirstOrThrow();
  return row.suspended_at !== null;
}

/** Number of exchanges that are on. */
export async function countActiveExchanges(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('ssps')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('active', '=', true)
    .executeTakeFirstOrThrow();
  return count;
}

/** Of these names, the events that have come for each app of a company; apps without any event are absent. */
export async function arrivedEvents(
  db: Db,
  companyId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await db
    .selectFrom('app_event_names')
    .select([
      'app_uuid',
      sql<string[] | null>`array_agg(name) filter (where name = ${anyTextOf(names)})`.as('names'),
    ])
    .where('company_uuid', '=', companyId)
    .groupBy('app_uuid')
    .execute();
  return new Map(rows.map((row) => [row.app_uuid, new Set(row.names ?? [])]));
}
