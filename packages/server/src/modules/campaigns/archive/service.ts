import { campaignApiMessages } from '@bidwell/contract/campaigns/api-messages';
import { messages } from '@bidwell/contract/text/messages';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Conflict, NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Tx, transact, type Db } from '../../../platform/postgres/transaction.ts';
import { deleteAppRow, deleteUnusedCreative, requireRoomFor } from '../../catalog/public.ts';
import { deleteOwned } from '../../../platform/postgres/stores/owned-store.ts';
import { APPROVAL_FIELD } from '@bidwell/contract/approvals/schema';
import { lockedAdset } from '../adsets/service.ts';
import { missingApprovalToRaise } from '../approvals/budget-approval.ts';
import { recordChange } from '../../changes/public.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import { sql } from 'kysely';

/** Display names of the kinds. */
const nouns: Record<ArchivableKind, { one: string; many: string }> = {
  app: { one: 'App', many: 'apps' },
  creative: { one: 'Creative', many: 'creatives' },
  creative_group: { one: 'Creative group', many: 'creative groups' },
  target: { one: 'Target', many: 'targets' },
  tracking_link: { one: 'Tracking link', many: 'tracking links' },
  adset: { one: 'Ad set', many: 'ad sets' },
  campaign: { one: 'Campaign', many: 'campaigns' },
};

/**
 * Archives an entity: until restored, it does not run, nor do entities that need it. A campaign is also paused.
 * Idempotent. Returns the entity's uuid. Throws NotFound.
 */
export async function archive(
  ctx: Context,
  actor: Actor,
  kind: ArchivableKind,
  uuid: string,
): Promise<string> {
  requirePermission(actor, `${kind}.write`);
  return setArchive(ctx, actor, kind, uuid, true);
}

/**
 * Restores an archived entity; a campaign stays Paused. Idempotent. Returns the entity's uuid. Throws NotFound;
 * Conflict for a creative whose app has the maximum number of its type, and for an ad set of which a second person has to approve the
 * budgets.
 */
export async function restore(
  ctx: Context,
  actor: Actor,
  kind: ArchivableKind,
  uuid: string,
): Promise<string> {
  requirePermission(actor, `${kind}.write`);
  return setArchive(ctx, actor, kind, uuid, false);
}

async function setArchive(
  ctx: Context,
  actor: Actor,
  kind: ArchivableKind,
  uuid: string,
  archived: boolean,
): Promise<string> {
  return transact(ctx.db, async (tx) => {
    const { companyId } = actor;
    const row = await lock(tx, companyId, kind, uuid);
    if ((row.archived_at !== null) === archived) return row.uuid;
    if (kind === 'creative' && !archived) await requireRoomFor(tx.db, companyId, row.uuid);
    const now = ctx.now();
    const archivedAt = archived ? now : null;
    await setArchived(tx.db, companyId, kind, row.uuid, { archivedAt, now });
    if (kind === 'adset' && !archived) await requireApproved(tx, companyId, row.uuid);
    const isPaused = kind === 'campaign' && row.campaign_status !== 'Paused';
    const wasToStart = row.start_when_approved;
    await recordChange(ctx, tx, actor, {
      entity: kind,
      uuid: row.uuid,
      name: row.name,
      action: archived ? 'archive' : 'restore',
      before: {
        archived_at: row.archived_at?.toISOString() ?? null,
        ...(isPaused && { status: row.campaign_status }),
        ...(wasToStart && { start_when_approved: true }),
      },
      after: {
        archived_at: archivedAt?.toISOString() ?? null,
        ...(isPaused && { status: 'Paused' }),
        ...(wasToStart && { start_when_approved: false }),
      },
    });
    return row.uuid;
  });
}

/**
 * Throws Conflict where the restored ad set of a running campaign may spend an amount that a second person has to
 * approve.
 */
async function requireApproved(tx: Tx, companyId: string, uuid: string): Promise<void> {
  const { campaign, status } = await lockedAdset(tx.db, companyId, uuid);
  const message =
    campaign && status === 'Active' ? await missingApprovalToRaise(tx, companyId, campaign.uuid) : null;
  if (message !== null) throw new Conflict(message, [{ field: APPROVAL_FIELD, message }]);
}

/**
 * Deletes an entity that is not in use, which `read` returns; reports and the change log keep its name. Returns its uuid. Throws NotFound;
 * Conflict if it is running, has spent, or is in use, naming its users.
 */
export async function deleteUnused(
  ctx: Context,
  actor: Actor,
  kind: ArchivableKind,
  uuid: string,
  read: (ctx: Context, actor: Actor, uuid: string) => Promise<object>,
): Promise<string> {
  requirePermission(actor, `${kind}.write`);
  return transact(ctx.db, async (tx) => {
    const { companyId } = actor;
    const row = await lock(tx, companyId, kind, uuid);
    await requireExpected(() => read({ ...ctx, db: tx.db }, actor, row.uuid));
    if (row.campaign_status === 'Active') throw new Conflict(campaignApiMessages.isRunning(row.name));
    const users = await usersOf(tx.db, companyId, kind, row.uuid);
    if (users.length > 0) throw new Conflict(messages.inUse(row.name, enumerate(users)));
    if (await hasSpent(tx.db, companyId, kind, row.uuid)) throw new Conflict(messages.hasSpent(row.name));
    if (kind === 'creative') await deleteUnusedCreative(ctx, tx, companyId, row.uuid);
    else if (kind === 'app') await deleteAppRow(tx.db, companyId, row.uuid, ctx.now());
    else await deleteEntity(tx.db, companyId, kind, row.uuid);
    await recordChange(ctx, tx, actor, {
      entity: kind,
      uuid: row.uuid,
      name: row.name,
      before: { name: row.name },
    });
    return row.uuid;
  });
}

async function lock(tx: Tx, companyId: string, kind: ArchivableKind, uuid: string): Promise<ArchivableRow> {
  const row = await lockEntity(tx.db, companyId, kind, uuid);
  if (!row) throw new NotFound(nouns[kind].one);
  return row;
}

/** Lists users in words: `the ad set “A”`, `the ad sets “A”, “B” and others`. */
function enumerate(users: readonly UserRow[]): string {
  const named = users.slice(0, USERS_MAX - 1);
  const parts = [...new Set(named.map(({ kind }) => kind))].map((kind) => {
    const names = named.filter((user) => user.kind === kind).map(({ name }) => `“${name}”`);
    return `the ${names.length === 1 ? nouns[kind].one.toLowerCase() : nouns[kind].many} ${names.join(', ')}`;
  });
  return `${parts.join('; ')}${users.length >= USERS_MAX ? ' and others' : ''}`;
}

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

type ArchivableKind = keyof typeof tables;

/** Columns needed to archive or delete an entity of any kind. */
interface ArchivableRow {
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
async function lockEntity(
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
async function setArchived(
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
interface UserRow {
  kind: ArchivableKind;
  name: string;
}

/** Most users of an entity that are read: enough to name some and to see if there are more. */
const USERS_MAX = 6;

/** Entities that refer to this one, at most {@link USERS_MAX}. */
async function usersOf(db: Db, companyId: string, kind: ArchivableKind, uuid: string): Promise<UserRow[]> {
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
async function hasSpent(db: Db, companyId: string, kind: ArchivableKind, uuid: string): Promise<boolean> {
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
async function deleteEntity(
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
