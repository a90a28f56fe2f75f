import type { App } from '@bidwell/contract/apps/schema';
import { type CreatedRange, createdBounds } from '@bidwell/contract/lib/wire';
import type { Selectable } from 'kysely';
import { anyOf } from '../../../platform/postgres/client.ts';
import type { AppTable } from '../../../platform/postgres/schema.ts';
import { presentTimes } from '../../../platform/postgres/stores/owned-store.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

export type AppRow = Selectable<AppTable>;

/** Converts a row into the response body. */
export function readApp(row: AppRow): App {
  const {
    company_uuid: _company,
    deleted_at: _deleted,
    domain_asked_at: _asked,
    store_item_id: _item,
    approved,
    ...app
  } = row;
  return {
    ...app,
    approved_version: approved,
    ...presentTimes(row),
  };
}

export async function listApps(db: Db, companyId: string, range?: CreatedRange): Promise<AppRow[]> {
  const bounds = range && createdBounds(range);
  return db
    .selectFrom('apps')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('deleted_at', 'is', null)
    .$if(bounds !== undefined, (query) =>
      query.where('created_at', '>=', bounds!.from).where('created_at', '<', bounds!.before),
    )
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .execute();
}

/** The company's apps among `uuids`, including deleted ones, to which other entities may refer. */
export async function findApps(db: Db, companyId: string, uuids: readonly string[]): Promise<AppRow[]> {
  if (uuids.length === 0) return [];
  return db
    .selectFrom('apps')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', anyOf(uuids))
    .execute();
}

export async function allApps(db: Db, companyId: string): Promise<Pick<AppRow, 'uuid' | 'store_link'>[]> {
  return db
    .selectFrom('apps')
    .select(['uuid', 'store_link'])
    .where('company_uuid', '=', companyId)
    .where('deleted_at', 'is', null)
    .execute();
}

/** Marks apps as deleted, and deletes the names of their in-app events and what counts as their revenue. */
export async function markAppsDeleted(
  db: Db,
  companyId: string,
  uuids: readonly string[],
  at: Date,
): Promise<void> {
  await db
    .updateTable('apps')
    .set({ deleted_at: at, updated_at: at })
    .where('company_uuid', '=', companyId)
    .where('uuid', 'in', uuids)
    .execute();
  for (const table of ['app_event_names', 'app_revenue_sources'] as const)
    await db
      .deleteFrom(table)
      .where('company_uuid', '=', companyId)
      .where('app_uuid', '=', anyOf(uuids))
      .execute();
}

/** Apps of all companies with an Active campaign, without an advertiser domain, and not notified of that yet. */
export async function appsWithoutDomain(
  db: Db,
  limit: number,
): Promise<Pick<AppRow, 'uuid' | 'company_uuid' | 'name'>[]> {
  return db
    .selectFrom('apps')
    .select(['uuid', 'company_uuid', 'name'])
    .where('advertiser_domain', 'is', null)
    .where('domain_asked_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('campaigns')
          .select('campaigns.uuid')
          .whereRef('campaigns.company_uuid', '=', 'apps.company_uuid')
          .whereRef('campaigns.app_uuid', '=', 'apps.uuid')
          .where('campaigns.status', '=', 'Active'),
      ),
    )
    .limit(limit)
    .execute();
}

/** Marks an app as notified of its missing domain. False if another process did so first. */
export async function markDomainFetched(db: Db, companyId: string, uuid: string, at: Date): Promise<boolean> {
  const marked = await db
    .updateTable('apps')
    .set({ domain_asked_at: at })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .where('domain_asked_at', 'is', null)
    .executeTakeFirst();
  return marked.numUpdatedRows > 0n;
}

/** Names of the Active campaigns of these apps. */
export async function activeCampaignNames(
  db: Db,
  companyId: string,
  appUuids: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('campaigns')
    .select('name')
    .where('company_uuid', '=', companyId)
    .where('app_uuid', 'in', appUuids)
    .where('status', '=', 'Active')
    .orderBy('name')
    .execute();
  return rows.map((row) => row.name);
}
