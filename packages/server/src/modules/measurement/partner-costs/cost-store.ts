import type { Mmp } from '@bidwell/contract/apps/fields';
import { type Selectable, sql } from 'kysely';
import { gunzipSync, gzipSync } from 'node:zlib';
import { v7 as uuidv7 } from 'uuid';
import type { Place } from '../../../platform/encryption.ts';
import type {
  PartnerCostDayTable,
  PartnerCostUploadTable,
  PartnerCostsTable,
} from '../../../platform/postgres/partner-delivery-tables.ts';
import { setOwned } from '../../../platform/postgres/stores/owned-store.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import type { CostUploadContent, CostUploadRow } from './cost-rows.ts';

export type PartnerCostsRow = Selectable<PartnerCostsTable>;
export type CostDayRow = Selectable<PartnerCostDayTable>;
export type CostUploadRecord = Selectable<PartnerCostUploadTable>;

/** Where the token of a partner is stored. */
export function costTokenPlace(uuid: string): Place {
  return { table: 'partner_costs', column: 'token', row: uuid };
}

/** The company's settings of costs, by partner. */
export async function listPartnerCostsRows(db: Db, companyId: string): Promise<PartnerCostsRow[]> {
  return db.selectFrom('partner_costs').selectAll().where('company_uuid', '=', companyId).execute();
}

export async function findPartnerCosts(
  db: Db,
  companyId: string,
  mmp: Mmp,
): Promise<PartnerCostsRow | undefined> {
  return db
    .selectFrom('partner_costs')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('mmp', '=', mmp)
    .executeTakeFirst();
}

/** Adds the settings of a partner, or replaces them. */
export async function savePartnerCosts(
  db: Db,
  companyId: string,
  row: Pick<PartnerCostsRow, 'uuid' | 'mmp' | 'is_enabled' | 'media_source' | 'token' | 'next_at' | 'error'>,
): Promise<void> {
  const { uuid: _uuid, mmp: _mmp, ...changed } = row;
  await db
    .insertInto('partner_costs')
    .values({ ...row, company_uuid: companyId, accepted_at: null, partner_apps: null })
    .onConflict((conflict) => conflict.columns(['company_uuid', 'mmp']).doUpdateSet(changed))
    .execute();
}

export async function updatePartnerCostsRow(
  db: Db,
  companyId: string,
  uuid: string,
  values: Partial<Pick<PartnerCostsRow, 'accepted_at' | 'error' | 'next_at'>> & { partner_apps?: string },
): Promise<void> {
  await db
    .updateTable('partner_costs')
    .set(values)
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

/** Settings whose next round is due, of all companies, locked until the transaction ends. */
export async function lockDueCosts(
  db: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<PartnerCostsRow[]> {
  return db
    .selectFrom('partner_costs')
    .selectAll()
    .where('is_enabled', '=', true)
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

/** An app whose costs may be sent. */
export interface CostApp {
  uuid: string;
  name: string;
  /** The id of the app in its store, as AppsFlyer writes it. */
  storeId: string;
}

/** Apps of a company with a measurement partner. */
export async function appsOfPartner(db: Db, companyId: string, mmp: Mmp): Promise<CostApp[]> {
  const rows = await db
    .selectFrom('apps')
    .select(['uuid', 'name', 'os', 'bundle_id', 'store_item_id'])
    .where('company_uuid', '=', companyId)
    .where('mobile_measurement_partner', '=', mmp)
    .where('deleted_at', 'is', null)
    .orderBy('uuid')
    .execute();
  return rows.map(({ uuid, name, os, bundle_id, store_item_id: item }) => ({
    uuid,
    name,
    storeId: os === 'ios' ? `id${item ?? bundle_id}` : bundle_id,
  }));
}

/** Tracking links of apps with a partner that are not archived, and how many of them have all of some parts in their click URL. */
export async function countLinks(
  db: Db,
  companyId: string,
  mmp: Mmp,
  parts: readonly string[],
): Promise<{ links: number; withParts: number }> {
  const { rows } = await sql<{ links: number; withParts: number }>`
    select count(*)::int as links, count(*) filter (where not exists (
      select from jsonb_array_elements_text(${JSON.stringify(parts)}::jsonb) as part
      where position(part in l.click_url) = 0))::int as "withParts"
    from tracking_links l join apps a on a.uuid = l.app_uuid
    where l.company_uuid = ${companyId} and l.archived_at is null
      and a.mobile_measurement_partner = ${mmp} and a.deleted_at is null`.execute(db);
  return rows[0]!;
}

/** Apps whose costs of a day since `since` were sent before. */
export async function appsWithCostDays(
  db: Db,
  companyId: string,
  { mmp, since }: { mmp: Mmp; since: string },
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('partner_cost_days')
    .select('app_uuid')
    .distinct()
    .where('company_uuid', '=', companyId)
    .where('mmp', '=', mmp)
    .where('day', '>=', since)
    .where('sent_rows', 'is not', null)
    .execute();
  return new Set(rows.map(({ app_uuid }) => app_uuid));
}

/** Adds the day of an app, or changes its time zone. Resolves to its id. */
export async function keepCostDay(
  db: Db,
  companyId: string,
  { mmp, appId, day, timeZone }: { mmp: Mmp; appId: string; day: string; timeZone: string },
): Promise<string> {
  const { uuid } = await db
    .insertInto('partner_cost_days')
    .values({
      uuid: uuidv7(),
      company_uuid: companyId,
      mmp,
      app_uuid: appId,
      day,
      time_zone: timeZone,
      sent_rows: null,
      accepted_digest: null,
      accepted_micros: null,
      accepted_at: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['company_uuid', 'mmp', 'app_uuid', 'day']).doUpdateSet({ time_zone: timeZone }),
    )
    .returning('uuid')
    .executeTakeFirstOrThrow();
  return uuid;
}

/** Whether a message about something waits. */
export async function hasMessage(db: Db, kind: string, about: string): Promise<boolean> {
  const row = await db
    .selectFrom('messages')
    .select('uuid')
    .where('kind', '=', kind)
    .where('about', '=', about)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findCostDay(db: Db, companyId: string, uuid: string): Promise<CostDayRow | undefined> {
  return db
    .selectFrom('partner_cost_days')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
}

/** The upload of a day that has no outcome yet. */
export async function openUpload(
  db: Db,
  companyId: string,
  dayId: string,
): Promise<CostUploadRecord | undefined> {
  return db
    .selectFrom('partner_cost_uploads')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('day_uuid', '=', dayId)
    .where('status', 'in', ['waiting', 'sent'])
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
}

/** Notes what is sent of a day before it is sent, in the place of an upload that waits. Resolves to the id of the upload. */
export async function beginUpload(
  db: Db,
  { uuid: dayId, company_uuid: companyId, mmp }: CostDayRow,
  content: CostUploadContent,
  { open, at }: { open: CostUploadRecord | undefined; at: Date },
): Promise<string> {
  await db
    .updateTable('partner_cost_days')
    // From here on the partner may have other rows than it accepted last.
    .set({ sent_rows: gzipSync(JSON.stringify(content.rows)), accepted_digest: null })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', dayId)
    .execute();
  const values = {
    status: 'waiting' as const,
    rows: content.rows.length,
    spend_micros: content.spendMicros,
    sent_micros: content.sentMicros,
    digest: content.digest,
    job: null,
    checks: 0,
  };
  if (open) {
    await setOwned(db, 'partner_cost_uploads', companyId, open.uuid, values);
    return open.uuid;
  }
  const uuid = uuidv7();
  await db
    .insertInto('partner_cost_uploads')
    .values({
      uuid,
      company_uuid: companyId,
      mmp,
      day_uuid: dayId,
      ...values,
      matched_percent: null,
      error: null,
      created_at: at,
      finished_at: null,
    })
    .execute();
  return uuid;
}

/** Notes that the partner accepted an upload. */
export async function acceptUpload(
  db: Db,
  { company_uuid: companyId, uuid, day_uuid, digest, sent_micros }: CostUploadRecord,
  { at, matchedPercent }: { at: Date; matchedPercent: number | null },
): Promise<void> {
  const accepted = { status: 'accepted', matched_percent: matchedPercent, error: null } as const;
  await setOwned(db, 'partner_cost_uploads', companyId, uuid, { ...accepted, finished_at: at });
  await db
    .updateTable('partner_cost_days')
    .set({ accepted_digest: digest, accepted_micros: sent_micros, accepted_at: at })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', day_uuid)
    .execute();
}

/** The rows that the partner may have. */
export function sentRowsOf({ sent_rows }: Pick<CostDayRow, 'sent_rows'>): CostUploadRow[] {
  return sent_rows === null ? [] : (JSON.parse(gunzipSync(sent_rows).toString()) as CostUploadRow[]);
}

/** An upload with its app and day. */
export type ListedUpload = CostUploadRecord &
  Pick<CostDayRow, 'app_uuid' | 'day' | 'time_zone'> & { app_name: string };

/** The latest uploads to a partner, newest first. */
export async function listUploadRows(
  db: Db,
  companyId: string,
  { mmp, limit }: { mmp: Mmp; limit: number },
): Promise<ListedUpload[]> {
  return db
    .selectFrom('partner_cost_uploads as u')
    .innerJoin('partner_cost_days as d', 'd.uuid', 'u.day_uuid')
    .innerJoin('apps as a', 'a.uuid', 'd.app_uuid')
    .selectAll('u')
    .select(['d.app_uuid', 'd.day', 'd.time_zone', 'a.name as app_name'])
    .where('u.company_uuid', '=', companyId)
    .where('u.mmp', '=', mmp)
    .orderBy('u.created_at', 'desc')
    .orderBy('u.uuid', 'desc')
    .limit(limit)
    .execute();
}

/** Deletes at most `rowsMax` uploads of all companies from before an instant. Resolves to their number. */
export async function deleteUploadsBefore(db: Db, before: Date, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from partner_cost_uploads where uuid in (
      select uuid from partner_cost_uploads where created_at < ${before} limit ${rowsMax}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Deletes at most `rowsMax` days of all companies from before an instant, with their uploads. Resolves to their number. */
export async function deleteCostDaysBefore(db: Db, before: Date, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from partner_cost_days where uuid in (
      select uuid from partner_cost_days where day < ${before.toISOString().slice(0, 10)} limit ${rowsMax}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** An app as measurement partners name it. */
export interface NamedApp {
  name: string;
  os: string;
  /** The number in the App Store, or the package of Android. */
  storeId: string;
}

/** The apps of a company, deleted ones too, by id. */
export async function appNames(db: Db, companyId: string): Promise<ReadonlyMap<string, NamedApp>> {
  const rows = await db
    .selectFrom('apps')
    .select(['uuid', 'name', 'os', 'bundle_id', 'store_item_id'])
    .where('company_uuid', '=', companyId)
    .execute();
  return new Map(
    rows.map(({ uuid, name, os, bundle_id, store_item_id: item }) => [
      uuid,
      { name, os, storeId: os === 'ios' ? String(item ?? bundle_id) : bundle_id },
    ]),
  );
}
