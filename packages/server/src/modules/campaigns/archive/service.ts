import { messages } from '@bidwell/contract/text/messages';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Conflict, NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { deleteAppRow, deleteUnusedCreative, requireRoomFor } from '../../catalog/public.ts';
import { APPROVAL_FIELD } from '@bidwell/contract/approvals/schema';
import { lockedAdset } from '../adsets/service.ts';
import { missingApprovalToRaise } from '../approvals/budget-approval.ts';
import { recordChange } from '../../changes/public.ts';
import {
  type ArchivableKind,
  type ArchivableRow,
  USERS_MAX,
  type UserRow,
  deleteEntity,
  hasSpent,
  lockEntity,
  setArchived,
  usersOf,
} from './store.ts';
import { requireExpected } from '../../../platform/expected-version.ts';

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

/** Throws Conflict where the restored ad set of a running campaign may spend what a second person has to approve. */
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
    if (row.campaign_status === 'Active') throw new Conflict(messages.isRunning(row.name));
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
      action: 'delete',
      before: { name: row.name },
      after: null,
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
