import type { ModerationStatus } from '@bidwell/contract/app';
import type { ModerationItem } from '@bidwell/contract/operator';
import { sql } from 'kysely';
import type { CreativeVersion } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

const WAITING_MAX = 1000;

export type ReviewedKind = ModerationItem['entity'];
type Version = Record<string, string | null>;

/** An entity whose version awaits review. */
export interface WaitingRow {
  entity: ReviewedKind;
  uuid: string;
  company_uuid: string;
  name: string;
  /** Address to view; null if there is a file or nothing to view. */
  link: string | null;
  file_uuid: string | null;
  extension: string | null;
  pending: Version;
  approved: Version | null;
  updated_at: Date;
}

/** Entities of all companies that await review, oldest first: for operators only. */
export async function waitingRows(db: Db): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select * from (
      (select 'app' as entity, uuid, company_uuid, name, store_link as link, null::uuid as file_uuid,
        null as extension, approved, updated_at,
        jsonb_build_object('name', name, 'os', os, 'store_link', store_link, 'bundle_id', bundle_id,
          'icon_link', icon_link) as pending
      from apps where status = 'Moderation' and deleted_at is null and archived_at is null
      order by updated_at limit ${WAITING_MAX})
      union all
      (select 'creative', c.uuid, c.company_uuid, i.name, null, f.uuid, f.extension, c.approved, c.updated_at,
        jsonb_build_object('type', i.type, 'title', i.title, 'sponsor', i.sponsor,
          'description', case when i.type = 'Native' then i.description end,
          'click_url', c.click_url, 'view_url', c.view_url, 'banner_file_uuid', i.banner_file_uuid)
      from creatives c
        join internal_creatives i on i.uuid = c.internal_creative_uuid
        left join files f on f.uuid = coalesce(i.playable_file_uuid, i.video_file_uuid, i.banner_file_uuid)
      where c.status = 'Moderation' and c.archived_at is null
      order by c.updated_at limit ${WAITING_MAX})
      union all
      (select 'creative_group', uuid, company_uuid, name, null, null, null, approved, updated_at,
        jsonb_build_object('native_title', native_title, 'native_description', native_description,
          'native_sponsor', native_sponsor)
      from creative_groups where texts_status = 'Moderation' and archived_at is null
      order by updated_at limit ${WAITING_MAX})
      union all
      (select 'tracking_link', uuid, company_uuid, name, click_url, null, null, approved, updated_at,
        jsonb_build_object('click_url', click_url)
      from tracking_links where status = 'Moderation' and archived_at is null
      order by updated_at limit ${WAITING_MAX})
    ) waiting order by updated_at limit ${2 * WAITING_MAX}`.execute(db);
  return rows;
}

/** An entity under review. */
export interface Reviewed {
  company_uuid: string;
  name: string;
  status: ModerationStatus;
  rejection_reason: string | null;
  approved: Version | CreativeVersion | null;
}

const tables = {
  app: 'apps',
  creative: 'creatives',
  creative_group: 'creative_groups',
  tracking_link: 'tracking_links',
} as const;

const statusColumn = (entity: ReviewedKind) =>
  sql.ref(entity === 'creative_group' ? 'texts_status' : 'status');

/**
 * Reads an entity and locks it until the transaction ends. Not restricted to a company, since operators name only the
 * uuid.
 */
export async function lockReviewed(
  db: Db,
  entity: ReviewedKind,
  uuid: string,
): Promise<Reviewed | undefined> {
  const name =
    entity === 'creative'
      ? sql`(select i.name from internal_creatives i where i.uuid = reviewed.internal_creative_uuid)`
      : sql.ref('name');
  const { rows } = await sql<Reviewed>`
    select company_uuid, ${name} as name, ${statusColumn(entity)} as status, rejection_reason, approved
    from ${sql.table(tables[entity])} reviewed
    where uuid = ${uuid} ${entity === 'app' ? sql`and deleted_at is null` : sql``}
    for update`.execute(db);
  return rows[0];
}

/** Stores a decision. `retainsApproved` is false if the previously approved version stops running. */
export async function setDecision(
  db: Db,
  companyId: string,
  entity: ReviewedKind,
  uuid: string,
  decision: {
    status: ModerationStatus;
    rejection_reason: string | null;
    retainsApproved: boolean;
    updated_at: Date;
  },
): Promise<void> {
  await sql`
    update ${sql.table(tables[entity])}
    set ${statusColumn(entity)} = ${decision.status}, rejection_reason = ${decision.rejection_reason},
      updated_at = ${decision.updated_at} ${decision.retainsApproved ? sql`` : sql`, approved = null`}
    where company_uuid = ${companyId} and uuid = ${uuid}`.execute(db);
}
