import type { CreativeType } from '@bidwell/contract/creatives/schema';
import { type Selectable, sql } from 'kysely';
import { anyOf } from '../../../platform/postgres/client.ts';
import type { FileTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

export type FileRow = Selectable<FileTable>;

/** A file in the response body of a creative. */
export type CreativeFileRow = Pick<FileRow, 'uuid' | 'extension' | 'size_bytes'>;

const columns = [
  'creatives.uuid',
  'creatives.app_uuid',
  'creatives.internal_creative_uuid',
  'creatives.click_url',
  'creatives.view_url',
  'creatives.status',
  'creatives.rejection_reason',
  'creatives.approved',
  'creatives.labels',
  'creatives.created_at',
  'creatives.updated_at',
  'creatives.archived_at',
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
  'internal_creatives.external_loads',
  'internal_creatives.exits',
] as const;

function joined(db: Db, companyId: string) {
  return db
    .selectFrom('creatives')
    .innerJoin('internal_creatives', (join) =>
      join
        .onRef('internal_creatives.uuid', '=', 'creatives.internal_creative_uuid')
        // Implied by the first condition, but without it PostgreSQL reads the assets of all companies.
        .on('internal_creatives.company_uuid', '=', companyId),
    )
    .select(columns)
    .where('creatives.company_uuid', '=', companyId);
}

/** A creative joined with its asset in one row, since thousands are read at a time. */
export type CreativeRow = Awaited<ReturnType<ReturnType<typeof joined>['execute']>>[number];

export async function listCreativeRows(db: Db, companyId: string): Promise<CreativeRow[]> {
  return joined(db, companyId)
    .orderBy('creatives.created_at', 'desc')
    .orderBy('creatives.uuid', 'desc')
    .execute();
}

export async function findCreatives(
  db: Db,
  companyId: string,
  uuids: readonly string[],
): Promise<CreativeRow[]> {
  if (uuids.length === 0) return [];
  return joined(db, companyId).where('creatives.uuid', '=', anyOf(uuids)).execute();
}

/** Reads a creative by its own uuid or its asset's, and locks it until the transaction ends. */
export async function lockCreative(
  db: Db,
  companyId: string,
  by: { uuid: string } | { assetUuid: string },
): Promise<CreativeRow | undefined> {
  return joined(db, companyId)
    .$if('uuid' in by, (query) => query.where('creatives.uuid', '=', (by as { uuid: string }).uuid))
    .$if('assetUuid' in by, (query) =>
      query.where('internal_creatives.uuid', '=', (by as { assetUuid: string }).assetUuid),
    )
    .forUpdate('creatives')
    .executeTakeFirst();
}

/**
 * Counts the creatives of a type and app that are not archived. Locks the app, so that concurrent uploads cannot
 * exceed the maximum.
 */
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
    .where('creatives.archived_at', 'is', null)
    .where('internal_creatives.type', '=', type)
    .executeTakeFirstOrThrow();
  return count;
}

/** The company's files, all or those among `uuids`. */
export async function findFiles(
  db: Db,
  companyId: string,
  uuids?: readonly string[],
): Promise<CreativeFileRow[]> {
  return db
    .selectFrom('files')
    .select(['uuid', 'extension', 'size_bytes'])
    .where('company_uuid', '=', companyId)
    .$if(uuids !== undefined, (query) => query.where('uuid', '=', anyOf(uuids!)))
    .execute();
}

/**
 * The picture of a person, if the file is that. Not restricted to a company: it is of the one in which they registered, whichever
 * they act for.
 */
export async function findAvatar(db: Db, userId: string, uuid: string): Promise<FileRow | undefined> {
  return db
    .selectFrom('users')
    .innerJoin('files', 'files.uuid', 'users.avatar_file_uuid')
    .selectAll('files')
    .where('users.uuid', '=', userId)
    .where('files.uuid', '=', uuid)
    .executeTakeFirst();
}

/** A file of a creative that may run now. For devices, so not restricted to a company. */
export async function findPublicFile(db: Db, uuid: string): Promise<FileRow | undefined> {
  return ofCreatives(db, uuid)
    .where((eb) =>
      eb.or([
        // An approved creative's files are approved with it.
        eb('creatives.status', '=', 'Approved'),
        eb.and([
          eb('creatives.approved', 'is not', null),
          // Only a video's end card can be replaced: the new one awaits review while the approved one runs.
          eb.or([
            eb(sql`creatives.approved ->> 'banner_file_uuid'`, '=', uuid),
            eb('internal_creatives.video_file_uuid', '=', uuid),
            eb('internal_creatives.playable_file_uuid', '=', uuid),
          ]),
        ]),
      ]),
    )
    .executeTakeFirst();
}

/** A file of any creative, with any status. For signed preview addresses, so not restricted to a company. */
export async function findCreativeFile(db: Db, uuid: string): Promise<FileRow | undefined> {
  return ofCreatives(db, uuid).executeTakeFirst();
}

function ofCreatives(db: Db, uuid: string) {
  return db
    .selectFrom('creatives')
    .innerJoin('internal_creatives', 'internal_creatives.uuid', 'creatives.internal_creative_uuid')
    .innerJoin('files', (join) => join.on('files.uuid', '=', uuid))
    .selectAll('files')
    .where(
      'creatives.uuid',
      'in',
      sql<string>`(
        select c.uuid from internal_creatives i join creatives c on c.internal_creative_uuid = i.uuid
        where i.banner_file_uuid = ${uuid} or i.video_file_uuid = ${uuid} or i.playable_file_uuid = ${uuid}
        union all
        select uuid from creatives where approved ->> 'banner_file_uuid' = ${uuid}
      )`,
    );
}
