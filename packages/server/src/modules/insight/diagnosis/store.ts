import { sql } from 'kysely';
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
