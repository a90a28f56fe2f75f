import type { Micros } from '@bidwell/contract/money';
import { sql } from 'kysely';
import { anyOf } from '../../platform/postgres/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

/** Spend of all time of the company's ad sets among `uuids`; ad sets without any are absent. */
export async function spendOfAdsets(
  db: Db,
  companyId: string,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, Micros>> {
  if (uuids.length === 0) return new Map();
  const rows = await db
    .selectFrom('adset_spend')
    .select(['adset_uuid', 'ever_micros'])
    .where('company_uuid', '=', companyId)
    .where('adset_uuid', '=', anyOf(uuids))
    .execute();
  return new Map(rows.map((row) => [row.adset_uuid, row.ever_micros]));
}

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
