import type { CreativeType } from '@bidwell/contract/creative';
import type { Insertable, Selectable, Updateable } from 'kysely';
import { sql } from 'kysely';
import type { CreativeTable, FileTable, InternalCreativeTable } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

export type FileRow = Selectable<FileTable>;

/** A creative with the asset that it wraps. */
export type CreativeRow = Selectable<CreativeTable> & { asset: Selectable<InternalCreativeTable> };

const assetColumns = [
  'internal_creatives.name',
  'internal_creatives.type',
  'internal_creatives.description',
  'internal_creatives.sponsor',
  'internal_creatives.title',
  'internal_creatives.width',
  'internal_creatives.height',
  'internal_creatives.duration_ms',
  'internal_creatives.banner_file_uuid',
  'internal_creatives.video_file_uuid',
  'internal_creatives.playable_file_uuid',
] as const;

function joined(db: Db, companyId: string) {
  return db
    .selectFrom('creatives')
    .innerJoin('internal_creatives', 'internal_creatives.uuid', 'creatives.internal_creative_uuid')
    .selectAll('creatives')
    .select(assetColumns)
    .where('creatives.company_uuid', '=', companyId);
}

type Joined = Awaited<ReturnType<ReturnType<typeof joined>['execute']>>[number];

function nest(row: Joined): CreativeRow {
  const { name, type, description, sponsor, title, width, height, duration_ms, ...rest } = row;
  const { banner_file_uuid, video_file_uuid, playable_file_uuid, ...creative } = rest;
  const files = { banner_file_uuid, video_file_uuid, playable_file_uuid };
  const asset = { name, type, description, sponsor, title, width, height, duration_ms, ...files };
  const { company_uuid, created_at, updated_at } = creative;
  return {
    ...creative,
    asset: { ...asset, uuid: creative.internal_creative_uuid, company_uuid, created_at, updated_at },
  };
}

export async function listCreativeRows(db: Db, companyId: string): Promise<CreativeRow[]> {
  const rows = await joined(db, companyId)
    .orderBy('creatives.created_at', 'desc')
    .orderBy('creatives.uuid', 'desc')
    .execute();
  return rows.map(nest);
}

export async function findCreatives(
  db: Db,
  companyId: string,
  uuids: readonly string[],
): Promise<CreativeRow[]> {
  if (uuids.length === 0) return [];
  return (await joined(db, companyId).where('creatives.uuid', 'in', uuids).execute()).map(nest);
}

/** A creative by its own uuid or its asset's, locked until the transaction ends. */
export async function lockCreative(
  db: Db,
  companyId: string,
  by: { uuid: string } | { assetUuid: string },
): Promise<CreativeRow | undefined> {
  const row = await joined(db, companyId)
    .$if('uuid' in by, (query) => query.where('creatives.uuid', '=', (by as { uuid: string }).uuid))
    .$if('assetUuid' in by, (query) =>
      query.where('internal_creatives.uuid', '=', (by as { assetUuid: string }).assetUuid),
    )
    .forUpdate('creatives')
    .executeTakeFirst();
  return row && nest(row);
}

/** Living creatives of a type and app; under the app's lock, so that two uploads cannot both be the twentieth. */
export async function countCreatives(
  db: Db,
  companyId: string,
  appId: string,
  type: CreativeType,
): Promise<number> {
  await db
    .selectFrom('apps')
    .select('uuid')
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', appId)
    .forNoKeyUpdate()
    .execute();
  const { count } = await db
    .selectFrom('creatives')
    .innerJoin('internal_creatives', 'internal_creatives.uuid', 'creatives.internal_creative_uuid')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('creatives.company_uuid', '=', companyId)
    .where('creatives.app_uuid', '=', appId)
    .where('internal_creatives.type', '=', type)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertFile(
  db: Db,
  companyId: string,
  file: Omit<Insertable<FileTable>, 'company_uuid'>,
): Promise<void> {
  await db
    .insertInto('files')
    .values({ ...file, company_uuid: companyId })
    .execute();
}

export async function insertCreative(
  db: Db,
  companyId: string,
  asset: Omit<Insertable<InternalCreativeTable>, 'company_uuid'>,
  creative: Omit<Insertable<CreativeTable>, 'company_uuid'>,
): Promise<void> {
  await db
    .insertInto('internal_creatives')
    .values({ ...asset, company_uuid: companyId })
    .execute();
  await db
    .insertInto('creatives')
    .values({ ...creative, company_uuid: companyId })
    .execute();
}

export async function updateCreativeRow(
  db: Db,
  companyId: string,
  uuid: string,
  changes: Updateable<CreativeTable>,
): Promise<void> {
  await db
    .updateTable('creatives')
    .set(changes)
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

export async function updateAssetRow(
  db: Db,
  companyId: string,
  uuid: string,
  changes: Updateable<InternalCreativeTable>,
): Promise<void> {
  await db
    .updateTable('internal_creatives')
    .set(changes)
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

export async function findFiles(db: Db, companyId: string, uuids: readonly string[]): Promise<FileRow[]> {
  if (uuids.length === 0) return [];
  return db
    .selectFrom('files')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('uuid', 'in', uuids)
    .execute();
}

/** A file that a creative shows to the public: served to devices, which belong to no company. */
export async function findPublicFile(db: Db, uuid: string): Promise<FileRow | undefined> {
  return db
    .selectFrom('files')
    .innerJoin('internal_creatives', (join) =>
      join.on((eb) =>
        eb.or([
          eb('internal_creatives.banner_file_uuid', '=', eb.ref('files.uuid')),
          eb('internal_creatives.video_file_uuid', '=', eb.ref('files.uuid')),
          eb('internal_creatives.playable_file_uuid', '=', eb.ref('files.uuid')),
        ]),
      ),
    )
    .selectAll('files')
    .where('files.uuid', '=', uuid)
    .executeTakeFirst();
}
