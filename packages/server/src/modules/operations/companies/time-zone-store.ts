import type { Micros } from '@bidwell/contract/lib/money';
import { sql } from 'kysely';
import { json } from '../../../platform/postgres/client.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** Whether PostgreSQL knows a time zone by this name. */
export async function isKnownTimeZone(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`select from pg_timezone_names where name = ${name}`.execute(db);
  return rows.length > 0;
}

/** The running day of the daily budget of an ad set, and what was spent in it. */
export interface BudgetDay {
  adset: string;
  /** YYYY-MM-DD. */
  day: string;
  micros: Micros;
}

/** The days of a company's ad sets, which are locked until the transaction ends, so that no spend is booked meanwhile. */
export async function lockBudgetDays(db: Db, companyId: string): Promise<BudgetDay[]> {
  return db
    .selectFrom('adset_spend')
    .select(['adset_uuid as adset', sql<string>`day::text`.as('day'), 'day_micros as micros'])
    .where('company_uuid', '=', companyId)
    .orderBy('adset_uuid')
    .forUpdate()
    .execute();
}

/** Replaces the days of a company's ad sets. */
export async function replaceBudgetDays(
  db: Db,
  companyId: string,
  days: readonly BudgetDay[],
): Promise<void> {
  await sql`
    update adset_spend s set day = n.day, day_micros = n.micros
    from jsonb_to_recordset(${json(days)}::jsonb) as n (adset uuid, day date, micros bigint)
    where n.adset = s.adset_uuid and s.company_uuid = ${companyId}`.execute(db);
}
