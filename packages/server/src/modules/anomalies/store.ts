import type { Db } from '../../platform/postgres/transaction.ts';

/** Companies with a campaign that runs; whose spend stops because they paused it need no telling. Crosses companies: a job's. */
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

/** What was found in an hour; undefined when it was not looked at. */
export async function findCheck(db: Db, companyId: string, hour: Date): Promise<string[] | undefined> {
  const row = await db
    .selectFrom('anomaly_checks')
    .select('found')
    .where('company_uuid', '=', companyId)
    .where('hour', '=', hour)
    .executeTakeFirst();
  return row?.found;
}

/** Notes what was found; false when another server did before. */
export async function insertCheck(db: Db, companyId: string, hour: Date, found: string[]): Promise<boolean> {
  const row = await db
    .insertInto('anomaly_checks')
    .values({ company_uuid: companyId, hour, found })
    .onConflict((conflict) => conflict.columns(['company_uuid', 'hour']).doNothing())
    .returning('hour')
    .executeTakeFirst();
  return row !== undefined;
}

/** Forgets the checks of hours before an instant. Crosses companies: a job's. */
export async function forgetChecks(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('anomaly_checks').where('hour', '<', before).execute();
}
