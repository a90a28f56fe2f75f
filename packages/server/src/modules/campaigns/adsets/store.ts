import { settingFields } from '@bidwell/contract/adsets/fields';
import type { AdsetSummary } from '@bidwell/contract/adsets/schema';
import type { Micros } from '@bidwell/contract/lib/money';
import { type Selectable, sql } from 'kysely';
import { columnNames } from './field-columns.ts';
import { anyOf } from '../../../platform/postgres/client.ts';
import type { AdsetTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

const FIELDS = [
  'uuid',
  'company_uuid',
  'campaign_uuid',
  'target_uuid',
  'tracking_link_uuid',
  'name',
  'description',
  'status',
  ...columnNames(settingFields),
  'created_at',
  'updated_at',
  'archived_at',
] as const;

/** An ad set with the names of the entities it refers to, without its bundles. */
export type AdsetFieldsRow = Pick<Selectable<AdsetTable>, (typeof FIELDS)[number]> & {
  app_uuid: string;
  target_name: string;
  tracking_link_name: string;
  campaign_name: string | null;
};

/** An ad set with the numbers of its bundles. */
export type AdsetSummaryRow = AdsetFieldsRow & Pick<AdsetSummary, 'bundle_counts'>;

/** An ad set with its bundles. */
export type AdsetRow = AdsetFieldsRow &
  Pick<Selectable<AdsetTable>, 'black_list_bundles' | 'white_list_bundles' | 'bundle_bids'>;

/** A creative group of an ad set. */
export interface AdsetGroupRow {
  adset_uuid: string;
  uuid: string;
  name: string;
}

/** The ad sets of the company, or those among `uuids`, without their bundles, newest first. */
export async function listAdsetSummaries(
  db: Db,
  companyId: string,
  uuids?: readonly string[],
): Promise<AdsetSummaryRow[]> {
  if (uuids?.length === 0) return [];
  return namedFields(db, companyId)
    .select(
      sql<AdsetSummary['bundle_counts']>`coalesce(bundle_counts, jsonb_build_object(
        'black_list', jsonb_array_length(black_list_bundles),
        'white_list', jsonb_array_length(white_list_bundles),
        'bids', (select count(*) from jsonb_object_keys(bundle_bids))))`.as('bundle_counts'),
    )
    .$if(uuids !== undefined, (query) => query.where('adsets.uuid', '=', anyOf(uuids!)))
    .orderBy('adsets.created_at', 'desc')
    .orderBy('adsets.uuid', 'desc')
    .execute();
}

/** The ad sets of a campaign, or all of the company; newest first. */
export async function listAdsets(db: Db, companyId: string, campaignUuid?: string): Promise<AdsetRow[]> {
  return named(db, companyId)
    .$if(campaignUuid !== undefined, (query) => query.where('adsets.campaign_uuid', '=', campaignUuid!))
    .orderBy('adsets.created_at', 'desc')
    .orderBy('adsets.uuid', 'desc')
    .execute();
}

export async function findAdset(db: Db, companyId: string, uuid: string): Promise<AdsetRow | undefined> {
  return named(db, companyId).where('adsets.uuid', '=', uuid).executeTakeFirst();
}

/** The company's ad sets among `uuids`, in no order. */
export async function findAdsets(db: Db, companyId: string, uuids: readonly string[]): Promise<AdsetRow[]> {
  if (uuids.length === 0) return [];
  return named(db, companyId).where('adsets.uuid', '=', anyOf(uuids)).execute();
}

/** Like {@link findAdset}, locked until the transaction ends. */
export async function lockAdset(db: Db, companyId: string, uuid: string): Promise<AdsetRow | undefined> {
  return named(db, companyId).where('adsets.uuid', '=', uuid).forUpdate('adsets').executeTakeFirst();
}

/** Ad sets with their bundles. */
function named(db: Db, companyId: string) {
  return namedFields(db, companyId).select([
    'adsets.black_list_bundles',
    'adsets.white_list_bundles',
    'adsets.bundle_bids',
  ]);
}

function namedFields(db: Db, companyId: string) {
  return (
    db
      .selectFrom('adsets')
      // The company of the joined rows is implied, but naming it keeps PostgreSQL from reading the rows of all
      // companies.
      .innerJoin('targets', (join) =>
        join.onRef('targets.uuid', '=', 'adsets.target_uuid').on('targets.company_uuid', '=', companyId),
      )
      .innerJoin('tracking_links', (join) =>
        join
          .onRef('tracking_links.uuid', '=', 'adsets.tracking_link_uuid')
          .on('tracking_links.company_uuid', '=', companyId),
      )
      .leftJoin('campaigns', (join) =>
        join
          .onRef('campaigns.uuid', '=', 'adsets.campaign_uuid')
          .on('campaigns.company_uuid', '=', companyId),
      )
      .select(FIELDS.map((field) => `adsets.${field}` as const))
      .select([
        'targets.app_uuid',
        'targets.name as target_name',
        'tracking_links.name as tracking_link_name',
        'campaigns.name as campaign_name',
      ])
      .where('adsets.company_uuid', '=', companyId)
  );
}

export async function groupsOfAdsets(
  db: Db,
  companyId: string,
  adsetUuids: readonly string[],
): Promise<AdsetGroupRow[]> {
  if (adsetUuids.length === 0) return [];
  return db
    .selectFrom('adset_creative_groups as link')
    .innerJoin('creative_groups', 'creative_groups.uuid', 'link.creative_group_uuid')
    .select(['link.adset_uuid', 'creative_groups.uuid', 'creative_groups.name'])
    .where('creative_groups.company_uuid', '=', companyId)
    .where('link.adset_uuid', '=', anyOf(adsetUuids))
    .orderBy('creative_groups.name')
    .orderBy('creative_groups.uuid')
    .execute();
}

/** Size of the bundle lists and bundle bids of the ad sets of a campaign, or of all of the company, in bytes of JSON. */
export async function sumOfBundleBytes(db: Db, companyId: string, campaignUuid?: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(coalesce(bundle_bytes, octet_length(black_list_bundles::text)
      + octet_length(white_list_bundles::text) + octet_length(bundle_bids::text))), 0)::float8 as bytes
    from adsets where company_uuid = ${companyId}
      ${campaignUuid === undefined ? sql`` : sql`and campaign_uuid = ${campaignUuid}`}`.execute(db);
  return rows[0]!.bytes;
}

/** The archived ones among the given parts of an ad set, with their names. */
export async function archivedParts(
  db: Db,
  companyId: string,
  parts: { targetUuid: string | null; linkUuid: string | null; groupUuids: readonly string[] },
): Promise<{ kind: 'target' | 'tracking link' | 'creative group'; name: string }[]> {
  const archivedOf = async (
    table: 'targets' | 'tracking_links' | 'creative_groups',
    uuids: readonly (string | null)[],
  ) => {
    const requested = uuids.filter((uuid) => uuid !== null);
    if (requested.length === 0) return [];
    return db
      .selectFrom(table)
      .select('name')
      .where('company_uuid', '=', companyId)
      .where('uuid', 'in', requested)
      .where('archived_at', 'is not', null)
      .execute();
  };
  const targets = await archivedOf('targets', [parts.targetUuid]);
  const links = await archivedOf('tracking_links', [parts.linkUuid]);
  const groups = await archivedOf('creative_groups', parts.groupUuids);
  return [
    ...targets.map(({ name }) => ({ kind: 'target' as const, name })),
    ...links.map(({ name }) => ({ kind: 'tracking link' as const, name })),
    ...groups.map(({ name }) => ({ kind: 'creative group' as const, name })),
  ];
}

/** Name of one of these groups that contains a creative of another app, if any. */
export async function groupOfAnotherApp(
  db: Db,
  companyId: string,
  groupUuids: readonly string[],
  appUuid: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('creative_groups')
    .innerJoin('creative_group_creatives as link', 'link.creative_group_uuid', 'creative_groups.uuid')
    .innerJoin('creatives', 'creatives.uuid', 'link.creative_uuid')
    .select('creative_groups.name')
    .where('creative_groups.company_uuid', '=', companyId)
    .where('creative_groups.uuid', 'in', groupUuids)
    .where('creatives.app_uuid', '<>', appUuid)
    .executeTakeFirst();
  return row?.name;
}

/** Replaces the creative groups of an ad set. */
export async function replaceGroups(
  db: Db,
  companyId: string,
  adsetUuid: string,
  groupUuids: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('adset_creative_groups')
    .where('adset_uuid', 'in', (adsets) =>
      adsets
        .selectFrom('adsets')
        .select('uuid')
        .where('company_uuid', '=', companyId)
        .where('uuid', '=', adsetUuid),
    )
    .execute();
  await db
    .insertInto('adset_creative_groups')
    .values(groupUuids.map((uuid) => ({ adset_uuid: adsetUuid, creative_group_uuid: uuid })))
    .execute();
}

/** Names of the company's ad sets among `uuids`, by uuid. */
export async function findAdsetNames(
  db: Db,
  companyId: string,
  uuids: readonly string[],
): Promise<Map<string, string>> {
  if (uuids.length === 0) return new Map();
  const rows = await db
    .selectFrom('adsets')
    .select(['uuid', 'name'])
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', anyOf(uuids))
    .execute();
  return new Map(rows.map(({ uuid, name }) => [uuid, name]));
}

/** Spend of all time of the company's ad sets among `uuids`, in micros; ad sets without any are absent. */
export async function findAdsetSpend(
  db: Db,
  companyId: string,
  uuids: readonly string[],
): Promise<Map<string, Micros>> {
  if (uuids.length === 0) return new Map();
  const rows = await db
    .selectFrom('adset_spend')
    .select(['adset_uuid', 'ever_micros'])
    .where('company_uuid', '=', companyId)
    .where('adset_uuid', '=', anyOf(uuids))
    .execute();
  return new Map(rows.map((row) => [row.adset_uuid, row.ever_micros]));
}
