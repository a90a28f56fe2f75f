import type { CreatedRange } from '@bidwell/contract/wire';
import type { Insertable, Selectable, Updateable } from 'kysely';
import { findOwned, listOwned, lockOwned } from '../../platform/postgres/owned-store.ts';
import type { TrackingLinkTable } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

export type TrackingLinkRow = Selectable<TrackingLinkTable>;

export async function listTrackingLinks(
  db: Db,
  companyId: string,
  range: CreatedRange,
): Promise<TrackingLinkRow[]> {
  return listOwned(db, 'tracking_links', companyId, range);
}

export async function findTrackingLink(
  db: Db,
  companyId: string,
  uuid: string,
): Promise<TrackingLinkRow | undefined> {
  return findOwned(db, 'tracking_links', companyId, uuid);
}

/** Like {@link findTrackingLink}, locked until the transaction ends. */
export async function lockTrackingLink(
  db: Db,
  companyId: string,
  uuid: string,
): Promise<TrackingLinkRow | undefined> {
  return lockOwned(db, 'tracking_links', companyId, uuid);
}

export async function insertTrackingLink(
  db: Db,
  companyId: string,
  link: Omit<Insertable<TrackingLinkTable>, 'company_uuid'>,
): Promise<TrackingLinkRow> {
  return db
    .insertInto('tracking_links')
    .values({ ...link, company_uuid: companyId })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateTrackingLink(
  db: Db,
  companyId: string,
  uuid: string,
  changes: Updateable<TrackingLinkTable>,
): Promise<TrackingLinkRow> {
  return db
    .updateTable('tracking_links')
    .set(changes)
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Tracking links of an app. */
export async function linksOfApp(
  db: Db,
  companyId: string,
  appUuid: string,
): Promise<Pick<TrackingLinkRow, 'status' | 'click_url' | 'approved'>[]> {
  return db
    .selectFrom('tracking_links')
    .select(['status', 'click_url', 'approved'])
    .where('company_uuid', '=', companyId)
    .where('app_uuid', '=', appUuid)
    .execute();
}

/** Names of the ad sets that use a tracking link. */
export async function adsetNames(db: Db, companyId: string, linkUuid: string): Promise<string[]> {
  const rows = await db
    .selectFrom('adsets')
    .select('name')
    .where('company_uuid', '=', companyId)
    .where('tracking_link_uuid', '=', linkUuid)
    .orderBy('name')
    .execute();
  return rows.map((row) => row.name);
}
