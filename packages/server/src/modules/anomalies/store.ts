import type { Db } from '../../platform/postgres/transaction.ts';

/**
 * Companies that have an Active campaign and are not suspended; for those that paused theirs, no spend is not an
 * anomaly. Covers all companies: for a background job only.
 */
export async function companiesThatRun(db: Db): Promise<{ companyId: string; timeZone: string }[]> {
  return db
    .selectFrom('companies')
    .select(['uuid as companyId', 'time_zone as timeZone'])
    .where('suspended_at', 'is', null)
    .where((where) =>
      where.exists(
        where
          .selectFrom('campaigns')
          .select('campaigns.uuid')
          .whereRef('campaigns.company_uuid', '=', 'companies.uuid')
          .where('campaigns.status', '=', 'Active'),
      ),
    )
    .orderBy('uuid')
    .execute();
}

/** Anomalies found in an hour; undefined if it has not been checked. */
export async function findCheck(db: Db, companyId: string, hour: Date): Promise<string[] | undefined> {
  const row = await db
    .selectFrom('anomaly_checks')
    .select('found')
    .where('company_uuid', '=', companyId)
    .where('hour', '=', hour)
    .executeTakeFirst();
  return row?.found;
}

/** Stores the result of a check. False if another server stored it first. */
export async function insertCheck(db: Db, companyId: string, hour: Date, found: string[]): Promise<boolean> {
  const row = await db
    .insertInto('anomaly_checks')
    .values({ company_uuid: companyId, hour, found })
    .onConflict((conflict) => conflict.columns(['company_uuid', 'hour']).doNothing())
    .returning('hour')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes checks of hours before an instant, of all companies: for a background job only. */
export async function deleteOldChecks(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('anomaly_checks').where('hour', '<', before).execute();
}
