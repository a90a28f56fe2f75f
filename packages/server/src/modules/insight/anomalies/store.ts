import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres/transaction.ts';

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

/** Anomalies that were found in the hours of a period. */
export async function findFound(
  db: Db,
  companyId: string,
  { from, before }: { from: Date; before: Date },
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('anomaly_checks')
    .select('found')
    .where('company_uuid', '=', companyId)
    .where('hour', '>=', from)
    .where('hour', '<', before)
    .execute();
  return new Set(rows.flatMap(({ found }) => found));
}

/** A change that may have caused an anomaly. */
export interface LatestChange {
  /** Of the changed entity. */
  name: string;
  action: 'update' | 'start' | 'pause';
  fields: readonly string[];
  /** Null for an ad set in no campaign. */
  campaignUuid: string | null;
  at: Date;
}

/** Names of fields that are listed of a change. */
const FIELDS_MAX = 3;

/** The newest change of a period to what a campaign or an ad set of a company delivers; null without one. */
export async function latestChange(
  db: Db,
  companyId: string,
  from: Date,
  before: Date,
): Promise<LatestChange | null> {
  const { rows } = await sql<LatestChange>`
    select c.entity_name as name, c.action, c.created_at as at, effective.fields[1:${sql.raw(String(FIELDS_MAX))}] as fields,
      coalesce(campaign.uuid, adset.campaign_uuid) as "campaignUuid"
    from changes c
    cross join lateral (
      select coalesce(array_agg(one ->> 'field'), '{}') as fields from jsonb_array_elements(c.fields) as one
      where one ->> 'field' not in ('name', 'description')
    ) effective
    left join campaigns campaign on campaign.uuid = c.entity_uuid and campaign.company_uuid = c.company_uuid
    left join adsets adset on adset.uuid = c.entity_uuid and adset.company_uuid = c.company_uuid
    where c.company_uuid = ${companyId} and c.created_at >= ${from} and c.created_at < ${before}
      and c.entity_type in ('campaign', 'adset') and c.action in ('update', 'start', 'pause')
      and (c.action <> 'update' or cardinality(effective.fields) > 0)
    order by c.created_at desc, c.uuid desc limit 1`.execute(db);
  return rows[0] ?? null;
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
