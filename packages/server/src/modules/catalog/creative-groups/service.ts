import type { Creative, CreativeType } from '@bidwell/contract/creatives/schema';
import type {
  CreativeGroup,
  CreativeGroupInput,
  CreativeGroupUpdate,
} from '@bidwell/contract/creative-groups/schema';
import { creativeApiMessages } from '@bidwell/contract/creatives/api-messages';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import { messages } from '@bidwell/contract/text/messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor, Owner } from '../../../platform/actor.ts';
import { Invalid, NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { json, anyOf } from '../../../platform/postgres/client.ts';
import {
  findOwned,
  insertOwned,
  listOwned,
  lockOwned,
  presentTimes,
  updateOwned,
} from '../../../platform/postgres/stores/owned-store.ts';
import type { NativeTexts, CreativeGroupTable } from '../../../platform/postgres/schema.ts';
import { type Db, transact } from '../../../platform/postgres/transaction.ts';
import { initialStatus, reviewAfter } from '../review.ts';
import { requireRoom } from '../entity-limits-store.ts';
import { type LoggedFields, recordSaved } from '../../changes/public.ts';
import { creativesOf, creativesOfCompany } from '../creatives/service.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import type { Selectable } from 'kysely';

const lists = {
  banner_creatives: 'Banner',
  video_creatives: 'Video',
  native_creatives: 'Native',
  playable_creatives: 'Playable',
} as const satisfies Record<string, CreativeType>;
type ListName = keyof typeof lists;
const listNames = Object.keys(lists) as ListName[];

/** All creative groups of the company, newest first. */
export async function listGroups(ctx: Context, actor: Actor): Promise<CreativeGroup[]> {
  requirePermission(actor, 'creative_group.read');
  return groupsOfCompany(ctx, actor);
}

/** {@link listGroups} within a call that checked its own permission. */
export async function groupsOfCompany(ctx: Context, owner: Owner): Promise<CreativeGroup[]> {
  const { companyId } = owner;
  const rows = await listOwned(ctx.db, 'creative_groups', companyId);
  const uuids = rows.map((row) => row.uuid);
  const members = await membersOf(ctx.db, companyId, uuids);
  // Read after the members, so that every member's creative exists.
  return presentGroups(rows, members, await creativesOfCompany(ctx, owner));
}

/** Reads one group. Throws NotFound. */
export async function getGroup(ctx: Context, actor: Actor, uuid: string): Promise<CreativeGroup> {
  requirePermission(actor, 'creative_group.read');
  const { companyId } = actor;
  const row = await findOwned(ctx.db, 'creative_groups', companyId, uuid);
  if (!row) throw new NotFound('Creative group');
  return loadGroup(ctx.db, companyId, row);
}

/** Which of these groups the company has, in no order. */
export async function knownGroups(db: Db, companyId: string, uuids: readonly string[]): Promise<string[]> {
  return findKnownGroups(db, companyId, uuids);
}

/**
 * Creates a group. Throws Invalid on the list that contains an unknown creative or one of another type, and if all
 * lists are empty; Conflict at the company's limit.
 */
export async function createGroup(
  ctx: Context,
  actor: Actor,
  input: CreativeGroupInput,
): Promise<CreativeGroup> {
  requirePermission(actor, 'creative_group.write');
  return transact(ctx.db, async (tx) => {
    const { companyId } = actor;
    const members = await requireMembers(tx.db, companyId, input);
    await requireRoom(tx.db, companyId, 'creative_groups');
    const uuid = uuidv7();
    const at = ctx.now();
    const { name, description, native_title, native_description, native_sponsor } = input;
    const texts = { name, description, native_title, native_description, native_sponsor };
    const hasTexts = [native_title, native_description, native_sponsor].some((text) => text !== '');
    const row = await insertOwned(tx.db, 'creative_groups', companyId, {
      uuid,
      ...texts,
      texts_status: hasTexts ? initialStatus(ctx.config) : 'Approved',
      paused: false,
      created_at: at,
      updated_at: at,
    });
    await replaceMembers(tx.db, companyId, uuid, members);
    const group = await loadGroup(tx.db, companyId, row);
    await recordSaved(ctx, tx, actor, { entity: 'creative_group', before: null, after: group, logged });
    return group;
  });
}

/** Changes the given fields; a given list replaces the whole list. Throws NotFound; Invalid like {@link createGroup}. */
export async function updateGroup(
  ctx: Context,
  actor: Actor,
  { uuid, ...input }: CreativeGroupUpdate & { uuid: string },
): Promise<CreativeGroup> {
  requirePermission(actor, 'creative_group.write');
  return transact(ctx.db, async (tx) => {
    const { companyId } = actor;
    const row = await lockOwned(tx.db, 'creative_groups', companyId, uuid);
    if (!row) throw new NotFound('Creative group');
    const before = await loadGroup(tx.db, companyId, row);
    await requireExpected(() => before);
    const previous = Object.fromEntries(
      listNames.map((list) => [list, before[list].map((creative) => creative.uuid)]),
    ) as Record<ListName, string[]>;
    const { status, banner_creatives, video_creatives, native_creatives, playable_creatives, ...texts } =
      input;
    const named = definedOnly({ banner_creatives, video_creatives, native_creatives, playable_creatives });
    if (Object.keys(named).length > 0) {
      const members = await requireMembers(tx.db, companyId, { ...previous, ...named });
      await replaceMembers(tx.db, companyId, uuid, members);
    }
    const reviewed = { ...row, status: row.texts_status };
    const review = reviewAfter(
      ctx.config,
      reviewed,
      nativeTexts(row),
      nativeTexts({ ...row, ...definedOnly(texts) }),
    );
    const written = await updateOwned(tx.db, 'creative_groups', companyId, uuid, {
      ...definedOnly(texts),
      ...(review && {
        texts_status: review.status,
        rejection_reason: review.rejection_reason,
        approved: review.approved && json(review.approved),
      }),
      ...((status === 'Active' || status === 'Paused') && { paused: status === 'Paused' }),
      updated_at: ctx.now(),
    });
    const group = await loadGroup(tx.db, companyId, written);
    await recordSaved(ctx, tx, actor, { entity: 'creative_group', before, after: group, logged });
    return group;
  });
}

/**
 * Checks that every creative is the company's and of its list's type, and that there is at least one; returns their
 * uuids. Throws Invalid.
 */
async function requireMembers(
  db: Db,
  companyId: string,
  input: Record<ListName, string[]>,
): Promise<string[]> {
  const uuids = [...new Set(listNames.flatMap((list) => input[list]))];
  const found = new Map(
    (await creativesOf(db, companyId, uuids)).map((creative) => [creative.uuid, creative]),
  );
  const errors = listNames.flatMap((list) => {
    const missing = input[list].some((uuid) => !found.has(uuid));
    if (missing) return [{ field: list, message: apiMessages.notFound('Creative') }];
    const other = input[list]
      .map((uuid) => found.get(uuid)!)
      .find((creative) => creative.internal_creative.type !== lists[list]);
    if (!other) return [];
    const { name, type } = other.internal_creative;
    return [{ field: list, message: creativeApiMessages.creativeType(name, type.toLowerCase()) }];
  });
  if (errors.length > 0) throw new Invalid(errors);
  if (uuids.length === 0) throw new Invalid([{ field: 'video_creatives', message: messages.required }]);
  return uuids;
}

async function loadGroup(db: Db, companyId: string, row: GroupRow): Promise<CreativeGroup> {
  const members = await membersOf(db, companyId, [row.uuid]);
  const uuids = members.map((member) => member.creative_uuid);
  const [group] = presentGroups([row], members, await creativesOf(db, companyId, uuids));
  return group!;
}

function presentGroups(
  rows: readonly GroupRow[],
  members: readonly MemberRow[],
  creatives: readonly Creative[],
): CreativeGroup[] {
  const byUuid = new Map(creatives.map((creative) => [creative.uuid, creative]));
  const byGroup = new Map<string, Creative[]>(rows.map((row) => [row.uuid, []]));
  for (const member of members)
    byGroup.get(member.creative_group_uuid)?.push(byUuid.get(member.creative_uuid)!);
  return rows.map((row) => {
    const mine = byGroup.get(row.uuid)!;
    const of = (type: CreativeType) => mine.filter((creative) => creative.internal_creative.type === type);
    const { company_uuid: _company, paused: _paused, approved, ...group } = row;
    return {
      ...group,
      approved_version: approved,
      status: statusOf(mine, row),
      banner_creatives: of('Banner'),
      video_creatives: of('Video'),
      native_creatives: of('Native'),
      playable_creatives: of('Playable'),
      ...presentTimes(row),
    };
  });
}

/**
 * Moderation while no creative has an approved version or new native texts await review, Rejected if all its creatives were
 * rejected, otherwise Active or Paused.
 */
function statusOf(
  creatives: Creative[],
  { paused, texts_status }: Pick<GroupRow, 'paused' | 'texts_status'>,
): CreativeGroup['status'] {
  if (!creatives.some(({ status, approved_version }) => status === 'Approved' || approved_version)) {
    const isRejected = creatives.length > 0 && creatives.every(({ status }) => status === 'Rejected');
    return isRejected ? 'Rejected' : 'Moderation';
  }
  if (paused) return 'Paused';
  return texts_status === 'Moderation' ? 'Moderation' : 'Active';
}

/** Fields of a group that are reviewed. */
function nativeTexts({ native_title, native_description, native_sponsor }: NativeTexts): NativeTexts {
  return { native_title, native_description, native_sponsor };
}

function logged(group: CreativeGroup): LoggedFields {
  const names = Object.fromEntries(
    listNames.map((list) => [list, group[list].map((creative) => creative.internal_creative.name)]),
  );
  return { ...group, ...names };
}

function definedOnly<T extends object>(values: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof definedOnly<T>
  >;
}

type GroupRow = Selectable<CreativeGroupTable>;

interface MemberRow {
  creative_group_uuid: string;
  creative_uuid: string;
}

/** The ids of the company's creative groups among `uuids`. */
async function findKnownGroups(db: Db, companyId: string, uuids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('creative_groups')
    .select('uuid')
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', anyOf(uuids))
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Memberships of creatives in these groups. */
async function membersOf(db: Db, companyId: string, groupIds: readonly string[]): Promise<MemberRow[]> {
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
async function replaceMembers(
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
