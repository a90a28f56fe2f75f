import {
  type Change,
  type ChangeAction,
  type EntityType,
  CHANGE_ENTRIES_MAX,
  UNDO_FIELD,
  type ChangedField,
} from '@bidwell/contract/changes/schema';
import type { Context } from '../../context.ts';
import type { Actor, Author, Owner } from '../../platform/actor.ts';
import { NotFound } from '../../platform/errors.ts';
import { requirePermission } from '../../platform/permissions.ts';
import { deleteOlderThan } from '../../platform/postgres/delete-in-batches.ts';
import type { Tx, Db } from '../../platform/postgres/transaction.ts';
import { type Selectable, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { anyOf, json } from '../../platform/postgres/client.ts';
import type { ChangeTable } from '../../platform/postgres/schema.ts';
import { pageOfLog } from './log-store.ts';
import { personName } from '../../platform/postgres/person-name.ts';
import { entriesOf, withEntries } from '@bidwell/contract/lib/entries';
import { isDeepStrictEqual } from 'node:util';
import { findOwned } from '../../platform/postgres/stores/owned-store.ts';

/** A change of one entity, written in the transaction that makes it. */
export interface ChangeRecord {
  entity: EntityType;
  uuid: string;
  /** Display name of the entity. */
  name: string;
  /** Without `before` it is a creation, without `after` a deletion, with both an update, unless it is given. */
  action?: ChangeAction;
  /** Fields before and after. Must not contain secrets. */
  before?: Readonly<Record<string, unknown>> | null;
  after?: Readonly<Record<string, unknown>> | null;
  /** Who made it, where it was no user; the operator unless it is given. */
  author?: string;
  /**
   * Within this time after a change of the same author with the same fields, of which all but numbers are alike, it extends that entry in
   * place of a new one. For changes that programs make often. The caller has locked the entity.
   */
  togetherMs?: number;
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
  const { before = null, after = null } = change;
  const { action = !before ? 'create' : after ? 'update' : 'delete' } = change;
  const changed = changedFields(before, after);
  if (action === 'update' && changed.length === 0) return;
  const fields = withUndone(changed, author);
  const entry: NewChange = {
    userId,
    apiKey,
    entity: change.entity,
    entityId: change.uuid,
    name: change.name,
    action,
    fields,
    at: ctx.now(),
    author: change.author ?? name,
  };
  const isExtended =
    change.togetherMs !== undefined && (await extendLast(tx.db, companyId, entry, change.togetherMs));
  if (!isExtended) await insertChange(tx.db, companyId, entry);
  tx.afterCommit(() => {
    const { entity, uuid } = change;
    ctx.onEntityChanged({ companyId, entity, uuid, action });
    const message = { type: 'entity', entity, uuid, action, ...(tab && { tab }) } as const;
    ctx.realtime.toCompany(companyId, message);
  });
}

/** The fields of a change, and the entry that it takes back where an undo makes it. */
function withUndone(fields: ChangedField[], { undoes }: Author): ChangedField[] {
  return undoes ? [...fields, { field: UNDO_FIELD, before: null, after: undoes }] : fields;
}

/** The fields of an entity that the change log compares. Must not contain secrets. */
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
  const row = await findOwned(ctx.db, 'changes', companyId, uuid);
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

/** Most characters of JSON that the fields of all changes of a list have, except the fields of its first change. */
const LIST_CHARS_MAX = 4 * 1024 * 1024;

/** Changes after the first lose their fields once the list is long, so the number of pages still matches `total`. */
function withinBytes(changes: readonly Change[]): Change[] {
  let chars = 0;
  return changes.map((change, index) => {
    const own = JSON.stringify(change.fields).length;
    if (index > 0 && chars + own > LIST_CHARS_MAX) return { ...change, fields: [], fields_left_out: true };
    chars += own;
    return change;
  });
}

/** The last names in the change log of entities of a company, deleted ones too; without entities that the log does not have. */
export async function lastLoggedNames(
  db: Db,
  companyId: string,
  entity: EntityType,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (uuids.length === 0) return new Map();
  const rows = await db
    .selectFrom('changes')
    .select(['entity_uuid', 'entity_name'])
    .distinctOn('entity_uuid')
    .where('company_uuid', '=', companyId)
    .where('entity_uuid', '=', anyOf(uuids))
    .where('entity_type', '=', entity)
    .orderBy('entity_uuid')
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .execute();
  return new Map(rows.map(({ entity_uuid: uuid, entity_name: name }) => [uuid, name]));
}

/** Deletes changes that are older than the setting says. */
export async function deleteExpiredChanges(ctx: Context): Promise<number> {
  return deleteOlderThan(ctx, ctx.config.keptDays.changes, deleteChangesBefore);
}

/** A change; `fields` is null in a list of changes once the fields of the changes before it are long. */
type ChangeRow = Omit<Selectable<ChangeTable>, 'fields'> & { fields: Change['fields'] | null };

/** A change to insert. */
interface NewChange {
  /** The user whose name is stored as the author's. */
  userId: string | null;
  /** The API key of the user that made it, whose name is added. */
  apiKey?: string | undefined;
  /** The author, where it is not the user alone; without both, the operator. */
  author?: string | undefined;
  entity: EntityType;
  entityId: string;
  name: string;
  action: ChangeAction;
  fields: Change['fields'];
  at: Date;
}

/** The name of the author of a change, as the log stores it. */
const authorOf = ({ author, apiKey, userId }: Pick<NewChange, 'author' | 'apiKey' | 'userId'>) =>
  sql<string>`coalesce(
    ${author ?? null}::text,
    (select ${personName('users')} || coalesce(' (API key ' || ${apiKey ?? null}::text || ')', '')
      from users where uuid = ${userId}::uuid),
    'Operator')`;

/** Gives the newest entry of an entity the later values of a change like it, as `togetherMs` says. Resolves to whether there is one. */
async function extendLast(
  db: Db,
  companyId: string,
  change: NewChange,
  togetherMs: number,
): Promise<boolean> {
  const last = await db
    .selectFrom('changes')
    .select(['uuid', 'action', 'fields', 'created_at'])
    .select(({ eb }) => eb('author', '=', authorOf(change)).as('is_same_author'))
    .where('company_uuid', '=', companyId)
    .where('entity_uuid', '=', change.entityId)
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(1)
    .executeTakeFirst();
  const isLike =
    last?.action === change.action &&
    last.is_same_author &&
    change.at.getTime() - last.created_at.getTime() < togetherMs &&
    isDeepStrictEqual(withoutNumbers(last.fields), withoutNumbers(change.fields));
  if (!isLike) return false;
  const later = new Map(change.fields.map((field) => [field.field, field]));
  const earlier = last.fields.map((field) => ({ ...field, after: (later.get(field.field) ?? field).after }));
  const known = new Set(earlier.map(({ field }) => field));
  const fields = [...earlier, ...change.fields.filter(({ field }) => !known.has(field))];
  await db
    .updateTable('changes')
    .set({ fields: json(fields) })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', last.uuid)
    .execute();
  return true;
}

const withoutNumbers = (fields: readonly ChangedField[]) =>
  fields.filter(({ after }) => typeof after !== 'number').map(({ field, after }) => ({ field, after }));

export async function insertChange(db: Db, companyId: string, change: NewChange): Promise<void> {
  const author = authorOf(change);
  await db
    .insertInto('changes')
    .values({
      uuid: uuidv7(),
      company_uuid: companyId,
      user_uuid: change.userId,
      author,
      entity_type: change.entity,
      entity_uuid: change.entityId,
      entity_name: change.name,
      action: change.action,
      fields: json(change.fields),
      created_at: change.at,
    })
    .execute();
}

/**
 * Stored size, which is compressed, of the fields in a list of changes. Changes of an earlier release, which stored long
 * lists whole, are about ten times as large. The first change of a list has its fields at any size.
 */
const FIELDS_BYTES_MAX = 2 * 1024 * 1024;

const columns = sql.raw(
  'uuid, company_uuid, user_uuid, author, entity_type, entity_uuid, entity_name, action, created_at',
);

const fieldsWithinBytes = sql<Change['fields'] | null>`case when coalesce(
    sum(pg_column_size(fields)) over (order by created_at desc, uuid desc
      rows between unbounded preceding and 1 preceding), 0) + pg_column_size(fields) <= ${FIELDS_BYTES_MAX}
    or row_number() over (order by created_at desc, uuid desc) = 1
  then fields end`;

/** A page of a company's changes, newest first, and the number of all of them. */
async function listChangeRows(
  db: Db,
  companyId: string,
  page: { page: number; limit: number },
): Promise<{ rows: ChangeRow[]; total: number }> {
  const listed = sql<ChangeRow>`${columns}, ${fieldsWithinBytes} as fields`;
  return pageOfLog(db, companyId, { table: 'changes', columns: listed }, page);
}

/** A change with its neighbours: changes of the same entity to more than its name and description. */
type NeighbouredChangeRow = ChangeRow & {
  /** Whether it changed more than name and description itself. */
  effective: boolean;
  /** Times of the first and the last neighbour within `togetherMs`, itself included; null without any. */
  first_at: Date | null;
  last_at: Date | null;
  /** Neighbours within `togetherMs`, itself included, and whether one of them created the entity. */
  together: number;
  with_creation: boolean;
  /** The nearest neighbours beyond, at most `withinMs` away. */
  previous_at: Date | null;
  next_at: Date | null;
};

/** The newest changes of entities in a period with their neighbours, newest first, and the number of all of them. */
async function changesWithNeighbours(
  db: Db,
  companyId: string,
  query: {
    entityUuids: readonly string[];
    from: Date;
    before: Date;
    limit: number;
    togetherMs: number;
    withinMs: number;
  },
): Promise<{ rows: NeighbouredChangeRow[]; total: number }> {
  const { entityUuids, from, before, limit } = query;
  const inPeriod = sql`company_uuid = ${companyId} and entity_uuid = ${anyOf(entityUuids)}
    and created_at >= ${from} and created_at < ${before}`;
  const effective = (row: string) => sql`(${sql.ref(`${row}.action`)} <> 'update' or exists (
    select 1 from jsonb_array_elements(${sql.ref(`${row}.fields`)}) as one
    where one ->> 'field' not in ('name', 'description', ${UNDO_FIELD})))`;
  const together = sql`make_interval(secs => ${query.togetherMs / 1000}::double precision)`;
  const within = sql`make_interval(secs => ${query.withinMs / 1000}::double precision)`;
  const ofEntity = sql`n.company_uuid = c.company_uuid and n.entity_uuid = c.entity_uuid`;
  const { rows } = await sql<NeighbouredChangeRow>`
    with page as (
      select * from changes where ${inPeriod} order by created_at desc, uuid desc limit ${limit}
    ), listed as (select ${columns}, ${fieldsWithinBytes} as fields from page)
    select c.*, ${effective('page')} as effective, near.*,
      (select max(n.created_at) from changes n where ${ofEntity} and ${effective('n')}
        and n.created_at < c.created_at - ${together} and n.created_at >= c.created_at - ${within}) as previous_at,
      (select min(n.created_at) from changes n where ${ofEntity} and ${effective('n')}
        and n.created_at > c.created_at + ${together} and n.created_at <= c.created_at + ${within}) as next_at
    from page join listed c using (uuid) cross join lateral (
      select min(n.created_at) as first_at, max(n.created_at) as last_at, count(*)::int as together,
        coalesce(bool_or(n.action = 'create'), false) as with_creation
      from changes n where ${ofEntity} and ${effective('n')}
        and n.created_at >= c.created_at - ${together} and n.created_at <= c.created_at + ${together}
    ) near
    order by c.created_at desc, c.uuid desc`.execute(db);
  const { rows: counts } = await sql<{ total: number }>`
    select count(*)::int as total from changes where ${inPeriod}`.execute(db);
  return { rows, total: counts[0]!.total };
}

/** Deletes at most `rowsMax` changes of all companies from before an instant. Resolves to their number. */
async function deleteChangesBefore(db: Db, before: Date, rowsMax: number): Promise<number> {
  // By company, since no index orders all companies by time.
  const { numAffectedRows } = await sql`
    delete from changes where uuid in (
      select old.uuid from companies c cross join lateral (
        select uuid from changes where company_uuid = c.uuid and created_at < ${before} limit ${rowsMax}
      ) as old limit ${rowsMax}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}

type Values = Readonly<Record<string, unknown>> | null;

const untracked = new Set(['uuid', 'company_uuid', 'created_at', 'updated_at']);

/**
 * The fields whose values differ; values are null before the creation of an entity and after its deletion. For long lists and
 * maps only the entries that differ, so that a long list in another order is unchanged.
 */
export function changedFields(before: Values, after: Values): ChangedField[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names]
    .filter(
      (name) => !untracked.has(name) && !isDeepStrictEqual(before?.[name] ?? null, after?.[name] ?? null),
    )
    .map((field) =>
      withoutLongLists({ field, before: before?.[field] ?? null, after: after?.[field] ?? null }),
    )
    .filter(({ entries }) => !entries || entries.added + entries.removed > 0);
}

/** A field of the log without the entries of a long list or map that the change left alone. */
function withoutLongLists(changed: ChangedField): ChangedField {
  const { field, before, after, entries } = changed;
  if (entries) return changed;
  const [previous, next] = [entriesOf(before), entriesOf(after)];
  if (previous.size + next.size <= CHANGE_ENTRIES_MAX) return changed;
  const removed = [...previous.keys()].filter((key) => !next.has(key));
  const added = [...next.keys()].filter((key) => !previous.has(key));
  return {
    field,
    before: withEntries(
      before,
      removed.slice(0, CHANGE_ENTRIES_MAX).map((key) => previous.get(key)),
    ),
    after: withEntries(
      after,
      added.slice(0, CHANGE_ENTRIES_MAX).map((key) => next.get(key)),
    ),
    entries: { added: added.length, removed: removed.length, unchanged: next.size - added.length },
  };
}
