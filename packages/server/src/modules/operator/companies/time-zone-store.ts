import type { Micros } from '@bidwell/contract/lib/money';
import { sql } from 'kysely';
import { json } from '../../../platform/postgres/client.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** Whether PostgreSQL knows a time zone by this name. */
export async function isKnownTimeZone(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`select from pg_timezone_names where name = ${name}`.execute(db);
  return rows.length > 0;
}

/** Locks the spend of a company's ad sets until the transaction ends, so that none is booked meanwhile. */
export async function lockSpendOf(db: Db, companyId: string): Promise<void> {
  await db
    .selectFrom('adset_spend')
    .select('adset_uuid')
    .where('company_uuid', '=', companyId)
    .orderBy('adset_uuid')
    .forUpdate()
    .execute();
}

/** Replaces the day of a company's ad sets and their spend in it: by `spent`, or 0 where it has none. */
export async function replaceDay(
  db: Db,
  companyId: string,
  day: string,
  spent: ReadonlyMap<string, Micros>,
): Promise<void> {
  const rows = [...spent].map(([adset, micros]) => ({ adset, micros }));
  await sql`
    update adset_spend s set day = ${day}::date, day_micros = coalesce((
      select n.micros from jsonb_to_recordset(${json(rows)}::jsonb) as n (adset uuid, micros bigint)
      where n.adset = s.adset_uuid
    ), 0)
    where s.company_uuid = ${companyId}`.execute(db);
}
