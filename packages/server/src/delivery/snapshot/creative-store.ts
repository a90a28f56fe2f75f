import type { CreativeType } from '@bidwell/contract/creatives/schema';
import { redactSecrets } from '@bidwell/contract/postbacks/schema';
import { sql } from 'kysely';
import { appendTo } from '../../platform/group-by.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import type { Creative, MediaFile } from '../model/candidate.ts';
import type { NativeTexts } from '../../platform/postgres/schema.ts';

/** Creatives that may be served, by group and app (see {@link creativesKey}): a group may have creatives of several apps. */
export async function loadCreatives(db: Db, companyIds: readonly string[]): Promise<Map<string, Creative[]>> {
  const byGroup = new Map<string, Creative[]>();
  for (const row of await selectCreatives(db, companyIds)) {
    const creative = creativeOf(row);
    if (canRun(creative)) appendTo(byGroup, creativesKey(row.groupUuid, row.appUuid), creative);
  }
  return byGroup;
}

/** Creatives of groups that may be served for an app or would be once they are approved: all that were not rejected. */
export async function loadDraftCreatives(
  db: Db,
  { companyId, appUuid, groupUuids }: { companyId: string; appUuid: string; groupUuids: readonly string[] },
): Promise<Creative[]> {
  const rows = await creativesOf(db, [companyId])
    .where('creative_groups.uuid', 'in', groupUuids)
    .where('creatives.app_uuid', '=', appUuid)
    .where((eb) => eb.or([isApproved('creatives'), eb('creatives.status', '<>', 'Rejected')]))
    .execute();
  return rows.map(creativeOf).filter(canRun);
}

async function selectCreatives(db: Db, companyIds: readonly string[]): Promise<CreativeRow[]> {
  return creativesOf(db, companyIds).where(isApproved('creatives')).execute();
}

/** The creatives of groups that are not paused, with any review status. */
function creativesOf(db: Db, companyIds: readonly string[]) {
  return db
    .selectFrom('creative_groups')
    .innerJoin(
      'creative_group_creatives',
      'creative_group_creatives.creative_group_uuid',
      'creative_groups.uuid',
    )
    .innerJoin('creatives', 'creatives.uuid', 'creative_group_creatives.creative_uuid')
    .innerJoin('companies', 'companies.uuid', 'creatives.company_uuid')
    .innerJoin('internal_creatives', 'internal_creatives.uuid', 'creatives.internal_creative_uuid')
    .innerJoin('files', (join) =>
      join.on(
        'files.uuid',
        '=',
        // The banner file of a video is its end card.
        sql`coalesce(internal_creatives.video_file_uuid, internal_creatives.playable_file_uuid, ${runningBanner})`,
      ),
    )
    .leftJoin('files as end_cards', (join) =>
      join.on('end_cards.uuid', '=', runningBanner).on('internal_creatives.type', '=', 'Video'),
    )
    .select([
      'creatives.uuid',
      'creatives.app_uuid as appUuid',
      'creative_groups.uuid as groupUuid',
      'internal_creatives.type',
      approvedText('creatives', 'title', 'internal_creatives.title').as('title'),
      approvedText<string | null>('creatives', 'description', 'internal_creatives.description').as(
        'description',
      ),
      approvedText('creatives', 'sponsor', 'internal_creatives.sponsor').as('sponsor'),
      approvedText<string | null>('creatives', 'click_url').as('clickUrl'),
      approvedText<string | null>('creatives', 'view_url').as('viewUrl'),
      sql<
        string[] | null
      >`(select array_agg(r.slug order by r.slug) from exchange_reviews r where r.creative_uuid = creatives.uuid and r.state = 'approved')`.as(
        'approvedAt',
      ),
      'companies.postback_secret as postbackSecret',
      'companies.postback_secret_previous as previousSecret',
      'internal_creatives.duration_ms as durationMs',
      approvedGroupText('native_title').as('groupTitle'),
      approvedGroupText('native_description').as('groupDescription'),
      approvedGroupText('native_sponsor').as('groupSponsor'),
      'files.uuid as fileUuid',
      'files.extension',
      'files.content_type as contentType',
      'files.width',
      'files.height',
      'files.size_bytes as bytes',
      'end_cards.uuid as endCardUuid',
      'end_cards.extension as endCardExtension',
      'end_cards.content_type as endCardContentType',
      'end_cards.width as endCardWidth',
      'end_cards.height as endCardHeight',
      'end_cards.size_bytes as endCardBytes',
    ])
    .where('creative_groups.company_uuid', 'in', companyIds)
    .where('creative_groups.paused', '=', false)
    .where('creative_groups.archived_at', 'is', null)
    .where('creatives.archived_at', 'is', null);
}

/** A native ad needs a title and a sponsor. */
function canRun(creative: Creative): boolean {
  return creative.type !== 'Native' || (creative.title !== '' && creative.sponsor !== '');
}

/** Image of the creative's version that may run; for a video its end card, which can be replaced. */
const runningBanner = sql<string>`
  coalesce((creatives.approved ->> 'banner_file_uuid')::uuid, internal_creatives.banner_file_uuid)`;

/** Key of the creatives of one group for one app. */
export function creativesKey(groupUuid: string, appUuid: string): string {
  return `${groupUuid} ${appUuid}`;
}

/** A creative with its files, as one row of the query. */
interface CreativeRow {
  uuid: string;
  appUuid: string;
  groupUuid: string;
  type: CreativeType;
  title: string;
  description: string | null;
  sponsor: string;
  groupTitle: string;
  groupDescription: string;
  groupSponsor: string;
  clickUrl: string | null;
  viewUrl: string | null;
  approvedAt: string[] | null;
  postbackSecret: string;
  previousSecret: string | null;
  durationMs: number | null;
  fileUuid: string;
  extension: string;
  contentType: string;
  width: number | null;
  height: number | null;
  bytes: number;
  endCardUuid: string | null;
  endCardExtension: string | null;
  endCardContentType: string | null;
  endCardWidth: number | null;
  endCardHeight: number | null;
  endCardBytes: number | null;
}

function creativeOf(row: CreativeRow): Creative {
  const file = fileOf(row.fileUuid, row.extension, row.contentType, row.width, row.height, row.bytes);
  // Devices receive these URLs in the markup.
  const secrets = [row.postbackSecret, row.previousSecret ?? ''];
  const url = (own: string | null) => (own ? redactSecrets(own, secrets) : null);
  const served = {
    uuid: row.uuid,
    groupUuid: row.groupUuid,
    file,
    clickUrl: url(row.clickUrl),
    viewUrl: url(row.viewUrl),
    approvedAt: row.approvedAt,
  };
  switch (row.type) {
    case 'Banner':
    case 'Playable':
      return { ...served, type: row.type };
    case 'Native':
      return {
        ...served,
        type: 'Native',
        title: row.title || row.groupTitle,
        description: row.description || row.groupDescription,
        sponsor: row.sponsor || row.groupSponsor,
      };
    case 'Video':
      return { ...served, type: 'Video', durationMs: row.durationMs ?? 0, endCard: endCardOf(row) };
  }
}

function endCardOf(row: CreativeRow): MediaFile | null {
  if (row.endCardUuid === null) return null;
  return fileOf(
    row.endCardUuid,
    row.endCardExtension!,
    row.endCardContentType!,
    row.endCardWidth,
    row.endCardHeight,
    row.endCardBytes!,
  );
}

function fileOf(
  uuid: string,
  extension: string,
  contentType: string,
  width: number | null,
  height: number | null,
  bytes: number,
): MediaFile {
  return {
    uuid,
    extension,
    contentType: contentType.split(';', 1)[0]!,
    width: width ?? 0,
    height: height ?? 0,
    bytes,
  };
}

type Reviewed = 'apps' | 'creatives' | 'tracking_links';

/** Whether the row has a version that may run: the current one, or an approved earlier one. */
export function isApproved(table: Reviewed) {
  return sql<boolean>`(${sql.ref(`${table}.status`)} = 'Approved' or ${sql.ref(`${table}.approved`)} is not null)`;
}

/** A reviewed text, of the version that may run. `current` is the column of the current text, if in another table. */
export function approvedText<Text extends string | null = string>(
  table: Reviewed,
  column: string,
  current = `${table}.${column}`,
) {
  const approved = sql.ref(`${table}.approved`);
  return sql<Text>`case when ${approved} is null then ${sql.ref(current)} else ${approved} ->> ${sql.lit(column)} end`;
}

/** The number in the App Store of an app's version that may run; null where its store link has none. */
export function approvedItemId() {
  return sql<
    number | null
  >`store_item_of(${approvedText('apps', 'os')}, ${approvedText('apps', 'store_link')})`;
}

/** An approved text of a creative group; '' when none was approved. */
function approvedGroupText(column: keyof NativeTexts) {
  return sql<string>`
    case when creative_groups.texts_status = 'Approved' then ${sql.ref(`creative_groups.${column}`)}
      else coalesce(creative_groups.approved ->> ${sql.lit(column)}, '') end`;
}
