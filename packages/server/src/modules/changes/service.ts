import type { Change, ChangeAction, EntityType } from '@bidwell/contract/changes/schema';
import type { Context } from '../../context.ts';
import type { Actor, Author, Owner } from '../../platform/actor.ts';
import { NotFound } from '../../platform/errors.ts';
import { requirePermission } from '../../platform/permissions.ts';
import { deleteOlderThan } from '../../platform/postgres/delete-in-batches.ts';
import type { Tx } from '../../platform/postgres/transaction.ts';
import { changedFields, withoutLongLists } from './fields.ts';
import {
  type ChangeRow,
  type NeighbouredChangeRow,
  changesWithNeighbours,
  deleteChangesBefore,
  findChangeRow,
  insertChange,
  listChangeRows,
} from './store.ts';

/** A change of one entity, written in the transaction that makes it. */
export interface ChangeRecord {
  entity: EntityType;
  uuid: string;
  /** Display name of the entity. */
  name: string;
  action: ChangeAction;
  /** Fields before and after; null before creation and after deletion. Must not contain secrets. */
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
  /** Who made it, where it was no user; the operator unless it is given. */
  author?: string;
}

/**
 * Inserts a change-log row and, on commit, publishes the change to the bidder and the company's open pages. Does
 * nothing for an update without changed fields.
 */
export async function recordChange(
  ctx: Context,
  tx: Tx,
  author: Author,
  change: ChangeRecord,
): Promise<void> {
  const { companyId, userId, apiKey, tab, name } = author;
  tx.changes(companyId);
  const fields = changedFields(change.before, change.after);
  if (change.action === 'update' && fields.length === 0) return;
  await insertChange(tx.db, companyId, {
    userId,
    apiKey,
    entity: change.entity,
    entityId: change.uuid,
    name: change.name,
    action: change.action,
    fields,
    at: ctx.now(),
    author: change.author ?? name,
  });
  tx.afterCommit(() => {
    const { entity, uuid, action } = change;
    ctx.onEntityChanged({ companyId, entity, uuid, action });
    const message = { type: 'entity', entity, uuid, action, ...(tab && { tab }) } as const;
    ctx.realtime.toCompany(companyId, message);
  });
}

/** What the change log compares of an entity. Must not contain secrets. */
export type LoggedFields = Readonly<Record<string, unknown>> & { readonly name: string };

/** {@link recordChange} of a new entity (`before` is null) or an updated one. */
export async function recordSaved<Entity extends { uuid: string }>(
  ctx: Context,
  tx: Tx,
  author: Author,
  saved: {
    entity: EntityType;
    before: Entity | null;
    after: Entity;
    logged: (entity: Entity) => LoggedFields;
  },
): Promise<void> {
  const { entity, before, after, logged } = saved;
  const fields = logged(after);
  await recordChange(ctx, tx, author, {
    entity,
    uuid: after.uuid,
    name: fields.name,
    action: before ? 'update' : 'create',
    before: before && logged(before),
    after: fields,
  });
}

/** {@link recordChange} of an entity that was created as a copy. The log has its fields and names the original. */
export async function recordCopied(
  ctx: Context,
  tx: Tx,
  author: Author,
  copied: {
    entity: EntityType;
    uuid: string;
    fields: LoggedFields;
    original: { uuid: string; name: string };
  },
): Promise<void> {
  const { entity, uuid, fields, original } = copied;
  await recordChange(ctx, tx, author, {
    entity,
    uuid,
    name: fields.name,
    action: 'create',
    before: null,
    after: { ...fields, copy_of: { uuid: original.uuid, name: original.name } },
  });
}

/** A page of the company's change log, newest first. Throws NotFound for another company. */
export async function listChanges(
  ctx: Context,
  actor: Actor,
  companyId: string,
  page: { page: number; limit: number },
): Promise<{ changes: Change[]; total: number }> {
  requirePermission(actor, 'change.read');
  if (companyId !== actor.companyId) throw new NotFound('Company');
  const { rows, total } = await listChangeRows(ctx.db, actor.companyId, page);
  return { total, changes: withinBytes(rows.map(presentChange)) };
}

/** Reads one change of the company. Throws NotFound. */
export async function getChange(ctx: Context, { companyId }: Owner, uuid: string): Promise<Change> {
  const row = await findChangeRow(ctx.db, companyId, uuid);
  if (!row) throw new NotFound('Change');
  return presentChange(row);
}

/** The newest changes of entities in a period with their neighbours, newest first, and the number of all of them. */
export async function changesOfEntities(
  ctx: Context,
  { companyId }: Owner,
  query: Parameters<typeof changesWithNeighbours>[2],
): Promise<{
  changes: (Pick<NeighbouredChangeRow, Neighbours> & { change: Change })[];
  total: number;
}> {
  const { rows, total } = await changesWithNeighbours(ctx.db, companyId, query);
  const changes = withinBytes(rows.map(presentChange));
  return { total, changes: rows.map((row, index) => ({ ...row, change: changes[index]! })) };
}

type Neighbours = Exclude<keyof NeighbouredChangeRow, keyof ChangeRow>;

function presentChange(row: ChangeRow): Change {
  const { uuid, entity_type, entity_uuid, entity_name, action, author } = row;
  const created_at = row.created_at.toISOString();
  const change = { uuid, entity_type, entity_uuid, entity_name, action, author, created_at };
  if (!row.fields) return { ...change, fields: [], fields_left_out: true };
  // Rows of earlier releases have long lists whole.
  return { ...change, fields: row.fields.map(withoutLongLists) };
}

/** Most characters of JSON that the fields of all changes of a list have, except those of its first change. */
const LIST_CHARS_MAX = 4 * 1024 * 1024;

/** A list of changes in which those after the first have no fields once the list is long: the pages stay those of `total`. */
function withinBytes(changes: readonly Change[]): Change[] {
  let chars = 0;
  return changes.map((change, index) => {
    const own = JSON.stringify(change.fields).length;
    if (index > 0 && chars + own > LIST_CHARS_MAX) return { ...change, fields: [], fields_left_out: true };
    chars += own;
    return change;
  });
}

/** Deletes changes that are older than the setting says. */
export async function deleteExpiredChanges(ctx: Context): Promise<number> {
  return deleteOlderThan(ctx, ctx.config.keptDays.changes, deleteChangesBefore);
}
