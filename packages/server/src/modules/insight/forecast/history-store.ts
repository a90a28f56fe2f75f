import type { Counts } from '@bidwell/contract/reports/metrics';
import { type Insertable, sql } from 'kysely';
import type { ForecastTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** A forecast to store. */
export type NewForecast = Omit<
  Insertable<ForecastTable>,
  'actual_impressions' | 'actual_spend_micros' | 'actual_installs' | 'compared_at'
>;

/** Stores the forecast of a day of an ad set, instead of an earlier one. */
export async function saveForecast(db: Db, forecast: NewForecast): Promise<void> {
  await db
    .insertInto('forecasts')
    .values(forecast)
    .onConflict((conflict) =>
      conflict
        .columns(['adset_uuid', 'starts_at'])
        .doUpdateSet(forecast)
        .where('forecasts.company_uuid', '=', forecast.company_uuid)
        .where('forecasts.compared_at', 'is', null),
    )
    .execute();
}

/** A day of a company with forecasts that are not compared yet. */
export interface DueDay {
  companyId: string;
  startsAt: Date;
  endsAt: Date;
}

/** Days that ended before an instant and have forecasts to compare, oldest first. Covers all companies: for a job only. */
export async function dueDays(db: Db, endedBefore: Date, limit: number): Promise<DueDay[]> {
  return db
    .selectFrom('forecasts')
    .select(['company_uuid as companyId', 'starts_at as startsAt', 'ends_at as endsAt'])
    .where('compared_at', 'is', null)
    .where('ends_at', '<=', endedBefore)
    .groupBy(['company_uuid', 'starts_at', 'ends_at'])
    .orderBy('ends_at')
    .orderBy('company_uuid')
    .limit(limit)
    .execute();
}

/** Ad sets whose forecasts of a day are not compared yet. */
export async function dueAdsets(
  db: Db,
  { companyId, startsAt, endsAt }: DueDay,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('forecasts')
    .select('adset_uuid')
    .where('company_uuid', '=', companyId)
    .where('starts_at', '=', startsAt)
    .where('ends_at', '=', endsAt)
    .where('compared_at', 'is', null)
    .orderBy('adset_uuid')
    .limit(limit)
    .execute();
  return rows.map((row) => row.adset_uuid);
}

/** Those of a company's ad sets that were changed since an instant, or whose campaign, target, link or creatives were. */
export async function changedSince(
  db: Db,
  companyId: string,
  { adsetUuids, since }: { adsetUuids: readonly string[]; since: Date },
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ uuid: string }>`
    with changed as (
      select distinct entity_uuid from changes where company_uuid = ${companyId} and created_at >= ${since}
    )
    select a.uuid from adsets a left join campaigns c on c.uuid = a.campaign_uuid
    where a.company_uuid = ${companyId} and a.uuid = any(${adsetUuids}::uuid[]) and exists (
      select from changed where entity_uuid in (a.uuid, c.uuid, c.app_uuid, a.target_uuid, a.tracking_link_uuid)
      union all
      select from adset_creative_groups g
      left join creative_group_creatives m on m.creative_group_uuid = g.creative_group_uuid
      join changed on entity_uuid in (g.creative_group_uuid, m.creative_uuid)
      where g.adset_uuid = a.uuid
    )`.execute(db);
  return new Set(rows.map(({ uuid }) => uuid));
}

/** What an ad set got on a day. */
export type AdsetOutcome = Pick<Counts, 'impressions' | 'installs' | 'spendMicros'>;

/** Stores what ad sets got on a day, and deletes the other forecasts of `adsetUuids` for it: those ad sets did not run. */
export async function saveOutcomes(
  db: Db,
  { companyId, startsAt }: DueDay,
  {
    adsetUuids,
    outcomes,
    at,
  }: { adsetUuids: readonly string[]; outcomes: ReadonlyMap<string, AdsetOutcome>; at: Date },
): Promise<void> {
  const found = [...outcomes].map(([adset, { impressions, installs, spendMicros }]) => ({
    adset,
    impressions,
    installs,
    spendMicros,
  }));
  await sql`
    update forecasts set actual_impressions = o.impressions, actual_spend_micros = o."spendMicros",
      actual_installs = o.installs, compared_at = ${at}
    from jsonb_to_recordset(${JSON.stringify(found)}::jsonb)
      as o (adset uuid, impressions bigint, "spendMicros" bigint, installs bigint)
    where company_uuid = ${companyId} and starts_at = ${startsAt} and adset_uuid = o.adset`.execute(db);
  await db
    .deleteFrom('forecasts')
    .where('company_uuid', '=', companyId)
    .where('starts_at', '=', startsAt)
    .where('adset_uuid', 'in', adsetUuids)
    .where('compared_at', 'is', null)
    .execute();
}

/** The figures of a forecast, spend in micros, and the actual ones. */
export type ComparedForecast = Readonly<Record<'impressions' | 'spend' | 'installs', ComparedRange>>;

/** A forecast figure, and the actual one. */
export interface ComparedRange {
  about: number;
  low: number;
  high: number;
  actual: number;
}

/** A company's last forecasts that are compared, latest first. */
export async function lastCompared(
  db: Db,
  companyId: string,
  { method, limit }: { method: number; limit: number },
): Promise<ComparedForecast[]> {
  const rows = await db
    .selectFrom('forecasts')
    .selectAll()
    .$narrowType<{ actual_impressions: number; actual_spend_micros: number; actual_installs: number }>()
    .where('company_uuid', '=', companyId)
    .where('compared_at', 'is not', null)
    .where('method', '=', method)
    .orderBy('starts_at', 'desc')
    .orderBy('adset_uuid')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    impressions: {
      about: row.impressions,
      low: row.impressions_low,
      high: row.impressions_high,
      actual: row.actual_impressions,
    },
    spend: {
      about: row.spend_micros,
      low: row.spend_low_micros,
      high: row.spend_high_micros,
      actual: row.actual_spend_micros,
    },
    installs: {
      about: row.installs,
      low: row.installs_low,
      high: row.installs_high,
      actual: row.actual_installs,
    },
  }));
}

/**
 * Deletes forecasts of days that ended before an instant, those that could not be compared after a shorter time. Covers
 * all companies: for a job only.
 */
export async function deleteForecasts(
  db: Db,
  { endedBefore, notComparedBefore }: { endedBefore: Date; notComparedBefore: Date },
): Promise<void> {
  await db.deleteFrom('forecasts').where('ends_at', '<', endedBefore).execute();
  await db
    .deleteFrom('forecasts')
    .where('compared_at', 'is', null)
    .where('ends_at', '<', notComparedBefore)
    .execute();
}
