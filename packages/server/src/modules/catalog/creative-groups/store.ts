import type { Selectable } from 'kysely';
import { anyOf } from '../../../platform/postgres/client.ts';
import type { CreativeGroupTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

export type GroupRow = Selectable<CreativeGroupTable>;

export interface MemberRow {
  creative_group_uuid: string;
  creative_uuid: string;
}

/** The ids of the company's creative groups among `uuids`. */
export async function findKnownGroups(
  db: Db,
  companyId: string,
  uuids: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('creative_groups')
    .select('uuid')
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', anyOf(uuids))
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Memberships of creatives in these groups. */
export async function membersOf(
  db: Db,
  companyId: string,
  groupIds: readonly string[],
): Promise<MemberRow[]> {
  if (groupIds.length === 0) return [];
  return db
    .selectFrom('creative_group_creatives as member')
    .innerJoin('creative_groups', 'creative_groups.uuid', 'member.creative_group_uuid')
    .select(['member.creative_group_uuid', 'member.creative_uuid'])
    .where('creative_groups.company_uuid', '=', companyId)
    .where('member.creative_group_uuid', '=', anyOf(groupIds))
    .orderBy('member.creative_uuid')
    .execute();
}

/** Replaces the group's creatives. The caller has locked the group and thereby checked its company. */
export async function replaceMembers(
  db: Db,
  _companyId: string,
  groupId: string,
  creativeIds: readonly string[],
): Promise<void> {
  await db.deleteFrom('creative_group_creatives').where('creative_group_uuid', '=', groupId).execute();
  if (creativeIds.length === 0) return;
  await db
    .insertInto('creative_group_creatives')
    .values(creativeIds.map((creative_uuid) => ({ creative_group_uuid: groupId, creative_uuid })))
    .execute();
}
