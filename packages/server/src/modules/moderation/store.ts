import type { ModerationStatus } from '@bidwell/contract/apps/schema';
import type { ModerationItem, ModerationKind } from '@bidwell/contract/moderation/schema';
import { type RawBuilder, sql } from 'kysely';
import { anyOf } from '../../platform/postgres/client.ts';
import type { CreativeVersion } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

/** Companies that the queue lists in addition to the companies of its items. */
const COMPANIES_MAX = 200;
const DESTINATIONS_MAX = 3;

export type ReviewedKind = ModerationItem['entity'];
type Version = Record<string, string | null>;

/** An entity whose version awaits review. */
export interface WaitingRow {
  entity: ReviewedKind;
  kind: ModerationKind;
  uuid: string;
  company_uuid: string;
  company_name: string;
  name: string;
  /** Address to view; null if there is a file or nothing to view. */
  link: string | null;
  view_url: string | null;
  app: ModerationItem['app'];
  banner_file_uuid: string | null;
  video_file_uuid: string | null;
  playable_file_uuid: string | null;
  external_loads: string[] | null;
  pending: Version;
  approved: Version | null;
  updated_at: Date;
}

/** The entities that wait, by kind of entity: the table, and the condition that its partial index has. */
const waiting: Record<ReviewedKind, { kind: RawBuilder<string>; from: RawBuilder<unknown> }> = {
  app: {
    kind: sql`'app'`,
    from: sql`apps e where e.status = 'Moderation' and e.deleted_at is null and e.archived_at is null`,
  },
  creative: {
    kind: sql`i.type`,
    from: sql`creatives e join internal_creatives i on i.uuid = e.internal_creative_uuid
      where e.status = 'Moderation' and e.archived_at is null`,
  },
  creative_group: {
    kind: sql`'creative_group'`,
    from: sql`creative_groups e where e.texts_status = 'Moderation' and e.archived_at is null`,
  },
  tracking_link: {
    kind: sql`'tracking_link'`,
    from: sql`tracking_links e where e.status = 'Moderation' and e.archived_at is null`,
  },
};

/** The columns that the queue shows of each kind: name, link, view URL, app, files and the fields under review. */
const shown: Record<ReviewedKind, RawBuilder<unknown>> = {
  app: sql`e.name, e.store_link as link, null as view_url, e.uuid as app_uuid, null::uuid as banner_file_uuid,
    null::uuid as video_file_uuid, null::uuid as playable_file_uuid, null::jsonb as external_loads,
    jsonb_build_object('name', e.name, 'os', e.os, 'store_link', e.store_link, 'bundle_id', e.bundle_id,
      'icon_link', e.icon_link) as pending`,
  creative: sql`i.name, null as link, null as view_url, e.app_uuid, i.banner_file_uuid, i.video_file_uuid,
    i.playable_file_uuid, to_jsonb(i.external_loads) as external_loads,
    jsonb_build_object('type', i.type, 'title', i.title, 'sponsor', i.sponsor,
      'description', case when i.type = 'Native' then i.description end,
      'click_url', e.click_url, 'view_url', e.view_url, 'banner_file_uuid', i.banner_file_uuid) as pending`,
  // The texts are shown as a native creative of the group will show them.
  creative_group: sql`e.name, null as link, null as view_url,
    (select c.app_uuid from creative_group_creatives m join creatives c on c.uuid = m.creative_uuid
      where m.creative_group_uuid = e.uuid order by c.uuid limit 1) as app_uuid,
    (select i.banner_file_uuid from creative_group_creatives m join creatives c on c.uuid = m.creative_uuid
        join internal_creatives i on i.uuid = c.internal_creative_uuid
      where m.creative_group_uuid = e.uuid and i.type = 'Native' order by c.uuid limit 1) as banner_file_uuid,
    null::uuid as video_file_uuid, null::uuid as playable_file_uuid, null::jsonb as external_loads,
    jsonb_build_object('native_title', e.native_title, 'native_description', e.native_description,
      'native_sponsor', e.native_sponsor) as pending`,
  tracking_link: sql`e.name, e.click_url as link, e.view_url, e.app_uuid, null::uuid as banner_file_uuid,
    null::uuid as video_file_uuid, null::uuid as playable_file_uuid, null::jsonb as external_loads,
    jsonb_build_object('click_url', e.click_url) as pending`,
};

const entities = Object.keys(waiting) as ReviewedKind[];
const isEntity = (kind: string): kind is ReviewedKind => (entities as string[]).includes(kind);

/** The part of the queue to read. */
export interface WaitingFilter {
  kind?: ModerationKind | undefined;
  company_uuid?: string | undefined;
  uuid?: string | undefined;
  limit: number;
}

/** Entities of all companies that await review, oldest first: for operators only. */
export async function waitingRows(db: Db, filter: WaitingFilter): Promise<WaitingRow[]> {
  const { kind, company_uuid: company, uuid, limit } = filter;
  const read: ReviewedKind[] = kind === undefined ? entities : [isEntity(kind) ? kind : 'creative'];
  const branches = read.map(
    (entity) => sql`
      (select ${sql.lit(entity)} as entity, ${waiting[entity].kind} as kind, e.uuid, e.company_uuid, e.approved,
        e.updated_at, ${shown[entity]}
      from ${waiting[entity].from}
        ${company === undefined ? sql`` : sql`and e.company_uuid = ${company}`}
        ${uuid === undefined ? sql`` : sql`and e.uuid = ${uuid}`}
        ${kind === undefined || isEntity(kind) ? sql`` : sql`and i.type = ${kind}`}
      order by e.updated_at, e.uuid limit ${limit})`,
  );
  const { rows } = await sql<WaitingRow>`
    select w.*, companies.name as company_name,
      case when apps.uuid is not null then jsonb_build_object('uuid', apps.uuid, 'name', apps.name, 'os', apps.os,
        'bundle_id', apps.bundle_id, 'store_link', apps.store_link, 'icon_link', apps.icon_link,
        'iab_category', apps.iab_category, 'advertiser_domain', apps.advertiser_domain) end as app
    from (select * from (${sql.join(branches, sql` union all `)}) every order by updated_at, uuid limit ${limit}) w
      join companies on companies.uuid = w.company_uuid
      left join apps on apps.uuid = w.app_uuid
    order by w.updated_at, w.uuid`.execute(db);
  return rows;
}

const everyWaiting = sql.join(
  entities.map(
    (entity) =>
      sql`select ${waiting[entity].kind} as kind, e.company_uuid, e.updated_at from ${waiting[entity].from}`,
  ),
  sql` union all `,
);

/** How many wait of each kind, of one company or of all: for operators only. */
export async function countByKind(
  db: Db,
  company: string | undefined,
): Promise<{ kind: ModerationKind; count: number }[]> {
  const { rows } = await sql<{ kind: ModerationKind; count: number }>`
    select kind, count(*)::int as count from (${everyWaiting}) w
    ${company === undefined ? sql`` : sql`where company_uuid = ${company}`}
    group by kind`.execute(db);
  return rows;
}

/** A company with entities that await review; `total` and `first` are over all companies. */
export interface WaitingCompanyRow {
  uuid: string;
  name: string;
  created_at: Date;
  suspended: boolean;
  waiting: number;
  oldest: Date;
  total: number;
  first: Date;
}

/** The named companies and others that wait, those with the oldest entity first. */
export async function waitingCompanies(db: Db, named: readonly string[]): Promise<WaitingCompanyRow[]> {
  const { rows } = await sql<WaitingCompanyRow>`
    select c.uuid, c.name, c.created_at, c.suspended_at is not null as suspended, w.waiting, w.oldest, w.total, w.first
    from (
      select company_uuid, count(*)::int as waiting, min(updated_at) as oldest,
        (sum(count(*)) over ())::int as total, min(min(updated_at)) over () as first,
        row_number() over (order by min(updated_at)) as place
      from (${everyWaiting}) every group by company_uuid) w
      join companies c on c.uuid = w.company_uuid
    where w.place <= ${COMPANIES_MAX} or c.uuid = ${anyOf(named)}
    order by w.oldest, c.uuid`.execute(db);
  return rows;
}

/** Files by uuid, of any company: for operators only. */
export async function reviewedFiles(db: Db, uuids: readonly string[]) {
  if (uuids.length === 0) return [];
  return db
    .selectFrom('files')
    .select(['uuid', 'content_type', 'extension', 'size_bytes', 'sha256', 'width', 'height', 'duration_ms'])
    .where('uuid', '=', anyOf(uuids))
    .execute();
}

/** A tracking link of an ad set that uses a creative. */
export interface DestinationRow {
  creative_uuid: string;
  uuid: string;
  name: string;
  click_url: string;
  view_url: string;
}

/** An ad set with a deep link that uses a creative. */
export interface DeepLinkRow {
  creative_uuid: string;
  uuid: string;
  name: string;
  deep_link: string;
}

/** For each creative, up to three deep links of ad sets that use it. */
export async function deepLinksOf(db: Db, creatives: readonly string[]): Promise<DeepLinkRow[]> {
  if (creatives.length === 0) return [];
  const { rows } = await sql<DeepLinkRow>`
    select k.uuid as creative_uuid, l.* from unnest(${`{${creatives.join()}}`}::uuid[]) as k (uuid)
    cross join lateral (
      select distinct on (a.deep_link) a.uuid, a.name, a.deep_link
      from creative_group_creatives m
        join adset_creative_groups g on g.creative_group_uuid = m.creative_group_uuid
        join adsets a on a.uuid = g.adset_uuid and a.archived_at is null and a.deep_link is not null
      where m.creative_uuid = k.uuid
      order by a.deep_link, a.uuid limit ${DESTINATIONS_MAX}) l`.execute(db);
  return rows;
}

/** For each creative, up to three tracking links of ad sets that use it. */
export async function destinationsOf(db: Db, creatives: readonly string[]): Promise<DestinationRow[]> {
  if (creatives.length === 0) return [];
  const { rows } = await sql<DestinationRow>`
    select k.uuid as creative_uuid, l.* from unnest(${`{${creatives.join()}}`}::uuid[]) as k (uuid)
    cross join lateral (
      select distinct t.uuid, t.name, t.click_url, t.view_url
      from creative_group_creatives m
        join adset_creative_groups g on g.creative_group_uuid = m.creative_group_uuid
        join adsets a on a.uuid = g.adset_uuid and a.archived_at is null
        join tracking_links t on t.uuid = a.tracking_link_uuid
      where m.creative_uuid = k.uuid
      order by t.uuid limit ${DESTINATIONS_MAX}) l`.execute(db);
  return rows;
}

/** An entity under review. */
export interface Reviewed {
  company_uuid: string;
  name: string;
  status: ModerationStatus;
  rejection_reason: string | null;
  approved: Version | CreativeVersion | null;
  updated_at: Date;
  /** Hash of a creative's file; null for other entities. */
  file_sha256: string | null;
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
  const ofAsset =
    entity === 'creative'
      ? sql`(select i.name from internal_creatives i where i.uuid = reviewed.internal_creative_uuid) as name,
          (select f.sha256 from internal_creatives i
            join files f on f.uuid = coalesce(i.playable_file_uuid, i.video_file_uuid, i.banner_file_uuid)
            where i.uuid = reviewed.internal_creative_uuid) as file_sha256`
      : sql`name, null as file_sha256`;
  const { rows } = await sql<Reviewed>`
    select company_uuid, ${statusColumn(entity)} as status, rejection_reason, approved, updated_at, ${ofAsset}
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
