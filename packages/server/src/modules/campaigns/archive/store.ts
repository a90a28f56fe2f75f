import { sql } from 'kysely';
import { deleteOwned } from '../../../platform/postgres/stores/owned-store.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** Tables of the kinds of entities that can be archived and deleted. */
const tables = {
  app: 'apps',
  creative: 'creatives',
  creative_group: 'creative_groups',
  target: 'targets',
  tracking_link: 'tracking_links',
  adset: 'adsets',
  campaign: 'campaigns',
} as const;

export type ArchivableKind = keyof typeof tables;

/** Columns needed to archive or delete an entity of any kind. */
export interface ArchivableRow {
  uuid: string;
  name: string;
  archived_at: Date | null;
  /** Status of a campaign; null for other kinds. */
  campaign_status: string | null;
  /** Whether it is a campaign that is to start by itself. */
  start_when_approved: boolean;
}

/**
 * Reads an entity and locks it until the transaction ends, so that no new reference to it can be made. A creative is
 * found by its own uuid or its asset's.
 */
export async function lockEntity(
  db: Db,
  companyId: string,
  kind: ArchivableKind,
  uuid: string,
): Promise<ArchivableRow | undefined> {
  const query =
    kind === 'creative'
      ? sql<ArchivableRow>`
          select c.uuid, i.name, c.archived_at, null as campaign_status, false as start_when_approved
          from creatives c join internal_creatives i on i.uuid = c.internal_creative_uuid
          where c.company_uuid = ${companyId} and i.company_uuid = ${companyId}
            and (c.uuid = ${uuid} or i.uuid = ${uuid})
          for update of c, i`
      : sql<ArchivableRow>`
          select uuid, name, archived_at,
            ${kind === 'campaign' ? sql.ref('status') : sql`null`} as campaign_status,
            ${kind === 'campaign' ? sql.ref('start_when_approved') : sql`false`} as start_when_approved
          from ${sql.table(tables[kind])}
          where company_uuid = ${companyId} and uuid = ${uuid}
            ${kind === 'app' ? sql`and deleted_at is null` : sql``}
          for update`;
  return (await query.execute(db)).rows[0];
}

/** Sets or, with null, clears the time of archiving. A campaign becomes Paused in both cases, and does not start by itself. */
export async function setArchived(
  db: Db,
  companyId: string,
  kind: ArchivableKind,
  uuid: string,
  { archivedAt, now }: { archivedAt: Date | null; now: Date },
): Promise<void> {
  await sql`
    update ${sql.table(tables[kind])}
    set archived_at = ${archivedAt}, updated_at = ${now}
      ${kind === 'campaign' ? sql`, status = 'Paused', start_when_approved = false` : sql``}
    where company_uuid = ${companyId} and uuid = ${uuid}`.execute(db);
}

/** An entity that refers to another one. */
export interface UserRow {
  kind: ArchivableKind;
  name: string;
}

/** Most users of an entity that are read: enough to name some and to see if there are more. */
export const USERS_MAX = 6;

/** Entities that refer to this one, at most {@link USERS_MAX}. */
export async function usersOf(
  db: Db,
  companyId: string,
  kind: ArchivableKind,
  uuid: string,
): Promise<UserRow[]> {
  const query = usersQuery(companyId, kind, uuid);
  if (!query) return [];
  return (
    await sql<UserRow>`select * from (${query}) users order by kind, name limit ${USERS_MAX}`.execute(db)
  ).rows;
}

function usersQuery(companyId: string, kind: ArchivableKind, uuid: string) {
  switch (kind) {
    case 'app':
      return sql`
        select 'campaign' as kind, name from campaigns where company_uuid = ${companyId} and app_uuid = ${uuid}
        union all
        select 'target', name from targets where company_uuid = ${companyId} and app_uuid = ${uuid}
        union all
        select 'tracking_link', name from tracking_links where company_uuid = ${companyId} and app_uuid = ${uuid}
        union all
        select 'creative', i.name
        from creatives c join internal_creatives i on i.uuid = c.internal_creative_uuid
        where c.company_uuid = ${companyId} and c.app_uuid = ${uuid}`;
    case 'creative':
      return sql`
        select 'creative_group' as kind, g.name
        from creative_group_creatives m join creative_groups g on g.uuid = m.creative_group_uuid
        where g.company_uuid = ${companyId} and m.creative_uuid = ${uuid}`;
    case 'creative_group':
      return sql`
        select 'adset' as kind, a.name
        from adset_creative_groups m join adsets a on a.uuid = m.adset_uuid
        where a.company_uuid = ${companyId} and m.creative_group_uuid = ${uuid}`;
    case 'target':
      return sql`select 'adset' as kind, name from adsets where company_uuid = ${companyId} and target_uuid = ${uuid}`;
    case 'tracking_link':
      return sql`
        select 'adset' as kind, name from adsets where company_uuid = ${companyId} and tracking_link_uuid = ${uuid}`;
    case 'adset':
      return sql`
        select 'campaign' as kind, c.name from adsets a join campaigns c on c.uuid = a.campaign_uuid
        where a.company_uuid = ${companyId} and a.uuid = ${uuid}`;
    // Ad sets do not prevent deletion: {@link deleteEntity} detaches them.
    case 'campaign':
      return null;
  }
}

/** Whether a campaign has ledger transactions, or an ad set has spend. */
export async function hasSpent(
  db: Db,
  companyId: string,
  kind: ArchivableKind,
  uuid: string,
): Promise<boolean> {
  if (kind === 'adset') {
    const row = await db
      .selectFrom('adset_spend')
      .select('adset_uuid')
      .where('company_uuid', '=', companyId)
      .where('adset_uuid', '=', uuid)
      .executeTakeFirst();
    return row !== undefined;
  }
  if (kind !== 'campaign') return false;
  const row = await db
    .selectFrom('ledger_transactions')
    .select('uuid')
    .where('company_uuid', '=', companyId)
    .where('campaign_uuid', '=', uuid)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes an entity that is not in use. Creatives and apps are deleted by their own modules. */
export async function deleteEntity(
  db: Db,
  companyId: string,
  kind: Exclude<ArchivableKind, 'app' | 'creative'>,
  uuid: string,
): Promise<void> {
  if (kind === 'campaign') {
    await db
      .updateTable('adsets')
      .set({ campaign_uuid: null })
      .where('company_uuid', '=', companyId)
      .where('campaign_uuid', '=', uuid)
      .execute();
  }
  await deleteOwned(db, tables[kind], companyId, uuid);
}
