import type { Counts } from '@bidwell/contract/reports/metrics';
import { type Insertable, sql } from 'kysely';
import type { ForecastTable } from '../../../platform/postgres/schema.ts';
import { type Db, transact } from '../../../platform/postgres/transaction.ts';
import { dateAt } from '@bidwell/contract/lib/calendar';
import { type AdsetRow, loadAdsets, FORECAST_METHOD, type Range } from '../../../delivery/public.ts';
import type { Context } from '../../../context.ts';
import { countsOfAdsets } from '../../reporting/public.ts';
import type { Forecast } from '@bidwell/contract/insight/forecast';
import { median } from '@bidwell/contract/lib/statistics';
import type { Owner } from '../../../platform/actor.ts';

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

/** Delay after the end of a day before it is compared, for late events. */
const LATE_EVENTS_MS = 15 * 60_000;
/** Days of companies that one run compares, and ad sets that one query covers. */
const DAYS_MAX = 1000;
const ADSETS_MAX = 500;
const DAY_MS = 86_400_000;
const RETENTION_MS = 90 * DAY_MS;
/** A day that could not be compared in this time, because ClickHouse was unavailable, is not compared. */
const COMPARED_WITHIN_MS = 3 * DAY_MS;
const NOTHING = { impressions: 0, installs: 0, spendMicros: 0 };

/**
 * Stores the actual result of the ad set for each forecast of a day that is over. Forecasts of ad sets that did not
 * run, or were changed during the day or since, are deleted. A company that fails does not delay the others.
 */
export async function compareForecasts(ctx: Context): Promise<void> {
  const { db, log, now } = ctx;
  const endedBefore = new Date(now().getTime() - LATE_EVENTS_MS);
  for (const day of await dueDays(db, endedBefore, DAYS_MAX)) {
    try {
      await compareDay(ctx, day);
    } catch (err) {
      log.error({ err, company: day.companyId }, 'forecasts could not be compared with what came');
    }
  }
}

/** Deletes forecasts after 90 days. */
export async function deleteOldForecasts({ db, now }: Context): Promise<void> {
  const nowMs = now().getTime();
  await deleteForecasts(db, {
    endedBefore: new Date(nowMs - RETENTION_MS),
    notComparedBefore: new Date(nowMs - COMPARED_WITHIN_MS),
  });
}

async function compareDay(ctx: Context, day: DueDay): Promise<void> {
  const { db, now } = ctx;
  const { companyId, startsAt, endsAt } = day;
  const running = new Set(
    ((await loadAdsets(db, [companyId])).get(companyId) ?? [])
      .filter((row) => ranOn(row, startsAt.getTime()))
      .map(({ adsetId }) => adsetId),
  );
  for (;;) {
    const adsetUuids = await dueAdsets(db, day, ADSETS_MAX);
    if (adsetUuids.length === 0) return;
    const changed = await changedSince(db, companyId, { adsetUuids, since: startsAt });
    const ran = adsetUuids.filter((uuid) => running.has(uuid) && !changed.has(uuid));
    const period = { fromMs: startsAt.getTime(), beforeMs: endsAt.getTime() };
    const found = await countsOfAdsets(ctx, companyId, ran, period);
    const outcomes = new Map(ran.map((uuid) => [uuid, found.get(uuid) ?? NOTHING] as const));
    await transact(db, async (tx) => saveOutcomes(tx.db, day, { adsetUuids, outcomes, at: now() }));
  }
}

/** Whether an ad set that may bid now did so on a whole day without changes: within its flight, with an approved creative. */
function ranOn(
  { creatives, startDate, startTime = null, endDate, endTime = null, timeZone }: AdsetRow,
  startsAtMs: number,
): boolean {
  const date = dateAt(startsAtMs, timeZone);
  const ranFrom = startDate === null || startDate < date || (startDate === date && startTime === null);
  const ranUntil = endDate === null || endDate > date || (endDate === date && endTime === null);
  return creatives.length > 0 && ranFrom && ranUntil;
}

/** Forecasts of a company that its record counts. */
const RECORD_MAX = 30;

/** How well the company's last forecasts held, and by how much the ranges of the next are widened for it. */
export interface RecordedForecasts {
  /** Null while none is compared. */
  record: Forecast['record'];
  widening: Readonly<Record<keyof ComparedForecast, number>>;
}

/** Reads how well the company's last forecasts held. */
export async function forecastRecord(
  { db }: Pick<Context, 'db'>,
  { companyId }: Owner,
): Promise<RecordedForecasts> {
  const compared = await lastCompared(db, companyId, { method: FORECAST_METHOD, limit: RECORD_MAX });
  const impressions = compared.map((one) => one.impressions);
  const widening = {
    impressions: wideningOf(impressions),
    spend: wideningOf(compared.map(({ spend }) => spend)),
    installs: wideningOf(compared.map(({ installs }) => installs)),
  };
  const error = median(impressions.map(errorPercent));
  if (error === null) return { record: null, widening };
  const record = {
    compared: compared.length,
    inside: impressions.filter(isInside).length,
    median_error_percent: Math.round(error),
    widened_by: Math.round(10 * widening.impressions) / 10,
  };
  return { record, widening };
}

/** The difference between the actual figure and the estimate, in percent of the estimate. */
function errorPercent({ about, actual }: ComparedRange): number {
  return (100 * Math.abs(actual - about)) / Math.max(about, 1);
}

/** Compared forecasts from which on ranges are widened. */
const COMPARED_MIN = 10;
/** The share of days that a range promises to contain. */
export const INSIDE_SHARE = 0.8;
/** Ranges are widened by this much at most: worse forecasts are wrong, not uncertain. */
export const WIDENED_MAX = 3;

/** Whether the actual figure was within the range. Counts are whole, the limits of a range are not. */
export function isInside({ actual, low, high }: ComparedRange): boolean {
  return actual >= Math.floor(low) && actual <= Math.ceil(high);
}

/**
 * The factor by which ranges have to be wider so that 80 % of the compared forecasts are within them: the 80 % quantile,
 * with the correction of split conformal prediction for a small number, of the error as a multiple of the range's width on
 * that side. At least 1, at most {@link WIDENED_MAX}, and 1 while there are too few or enough were within their range.
 */
export function wideningOf(compared: readonly ComparedRange[]): number {
  const { length } = compared;
  if (length < COMPARED_MIN || compared.filter(isInside).length >= INSIDE_SHARE * length) return 1;
  const multiples = compared.map(multipleOf).toSorted((a, b) => a - b);
  const rank = Math.min(length, Math.ceil((length + 1) * INSIDE_SHARE));
  return Math.min(WIDENED_MAX, Math.max(1, multiples[rank - 1]!));
}

/** The error as a multiple of the distance from the estimate to the limit on its side. */
function multipleOf({ about, low, high, actual }: ComparedRange): number {
  if (actual === about) return 0;
  return actual > about ? (actual - about) / (high - about) : (about - actual) / (about - low);
}

/** A range that is wider by a factor on both sides, within the possible values from 0 to `max`. */
export function widened({ about, low, high }: Range, factor: number, max = Infinity): Range {
  return {
    about,
    low: Math.max(0, about - factor * (about - low)),
    high: Math.min(Math.max(high, max), about + factor * (high - about)),
  };
}

/** A day of a company with forecasts that are not compared yet. */
interface DueDay {
  companyId: string;
  startsAt: Date;
  endsAt: Date;
}

/** Days that ended before an instant and have forecasts to compare, oldest first. Covers all companies: for a job only. */
async function dueDays(db: Db, endedBefore: Date, limit: number): Promise<DueDay[]> {
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
async function dueAdsets(db: Db, { companyId, startsAt, endsAt }: DueDay, limit: number): Promise<string[]> {
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

/**
 * Returns the ad sets of a company that were changed since an instant, or whose campaign, target, link or creatives were.
 */
async function changedSince(
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

/** The result of an ad set on a day. */
export type AdsetOutcome = Pick<Counts, 'impressions' | 'installs' | 'spendMicros'>;

/**
 * Stores the results of ad sets on a day, and deletes the other forecasts of `adsetUuids` for it, whose ad sets did not
 * run.
 */
async function saveOutcomes(
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
type ComparedForecast = Readonly<Record<'impressions' | 'spend' | 'installs', ComparedRange>>;

/** A forecast figure, and the actual one. */
export interface ComparedRange {
  about: number;
  low: number;
  high: number;
  actual: number;
}

/** A company's last forecasts that are compared, latest first. */
async function lastCompared(
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
 * Deletes forecasts of days that ended before an instant, and after a shorter time forecasts that could not be
 * compared. Covers all companies: for a job only.
 */
async function deleteForecasts(
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
