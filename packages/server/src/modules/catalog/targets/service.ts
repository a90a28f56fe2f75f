import { apartPlaces } from '@bidwell/contract/targets/apart-places';
import { copyName } from '@bidwell/contract/duplicates/copy-name';
import { namesOf } from '@bidwell/contract/lib/fields';
import { targetFields } from '@bidwell/contract/targets/fields';
import { targetMessages } from '@bidwell/contract/targets/messages';
import { messages } from '@bidwell/contract/text/messages';
import type { AppSummary } from '@bidwell/contract/apps/schema';
import {
  type Target,
  type TargetInput,
  type TargetSettings,
  type TargetUpdate,
  emptyTargetSettings,
} from '@bidwell/contract/targets/schema';
import type { CreatedRange } from '@bidwell/contract/lib/wire';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor, Owner } from '../../../platform/actor.ts';
import { Invalid, NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { anyOf, json } from '../../../platform/postgres/client.ts';
import {
  type OwnedRow,
  findOwned,
  insertOwned,
  listOwned,
  lockOwned,
  presentTimes,
  updateOwned,
} from '../../../platform/postgres/stores/owned-store.ts';
import { type Db, type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { requireUnusedByAdsets } from '../used-by-adsets.ts';
import { appsOf, requireApp } from '../apps/service.ts';
import { audienceNaming, requireAudiences, requireNoContradiction } from '../audiences/used-audiences.ts';
import { requireRoom } from '../entity-limits-store.ts';
import { type LoggedFields, recordCopied, recordSaved } from '../../changes/public.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import { type ListField, placeLists, referenceLists } from '../reference/service.ts';
import { withPlaces } from './places.ts';

type TargetRow = OwnedRow<'targets'>;

/** The company's targets created in the range, newest first. */
export async function listTargets(ctx: Context, actor: Actor, range: CreatedRange): Promise<Target[]> {
  requirePermission(actor, 'target.read');
  return loadTargets(ctx.db, actor.companyId, await listOwned(ctx.db, 'targets', actor.companyId, range));
}

/** Reads one target. Throws NotFound. */
export async function getTarget(ctx: Context, actor: Actor, uuid: string): Promise<Target> {
  requirePermission(actor, 'target.read');
  const row = await findOwned(ctx.db, 'targets', actor.companyId, uuid);
  if (!row) throw new NotFound('Target');
  return loadTarget(ctx.db, actor.companyId, row);
}

/**
 * Creates a target. Throws Invalid for an unknown app or audience, a value that is not in its list, or a newest version below the
 * oldest; Conflict at the company's limit.
 */
export async function createTarget(ctx: Context, actor: Actor, input: TargetInput): Promise<Target> {
  requirePermission(actor, 'target.write');
  const { app_id, name, description, ...settings } = input;
  requireVersionOrder(settings);
  return transact(ctx.db, async (tx) => {
    await requireApp(tx.db, actor.companyId, app_id, 'app_id');
    await requireRoom(tx.db, actor.companyId, 'targets');
    await requireAudiences(tx.db, actor.companyId, settings, null);
    requireNoContradiction(settings, null);
    const referenced = await asReferenced(tx.db, settings, null);
    requirePlacesTogether(referenced, null);
    const at = ctx.now();
    const row = await insertOwned(tx.db, 'targets', actor.companyId, {
      uuid: uuidv7(),
      app_uuid: app_id,
      name,
      description,
      settings: json(referenced),
      created_at: at,
      updated_at: at,
    });
    const target = await loadTarget(tx.db, actor.companyId, row);
    await recordSavedTarget(ctx, tx, actor, null, target);
    return target;
  });
}

/** Copies a target. Throws NotFound; Conflict at the company's limit. */
export async function duplicateTarget(
  ctx: Context,
  actor: Actor,
  { uuid }: { uuid: string },
): Promise<Target> {
  requirePermission(actor, 'target.write');
  return transact(ctx.db, async (tx) => {
    const { companyId } = actor;
    const original = await lockOwned(tx.db, 'targets', companyId, uuid);
    if (!original) throw new NotFound('Target');
    await requireRoom(tx.db, companyId, 'targets');
    const at = ctx.now();
    const row = await insertOwned(tx.db, 'targets', companyId, {
      uuid: uuidv7(),
      app_uuid: original.app_uuid,
      name: copyName(original.name),
      description: original.description,
      settings: json(original.settings),
      created_at: at,
      updated_at: at,
    });
    const target = await loadTarget(tx.db, companyId, row);
    const named = await audienceNaming(tx.db, companyId, [target]);
    await recordCopied(ctx, tx, actor, {
      entity: 'target',
      uuid: target.uuid,
      fields: named(logged(target)),
      original,
    });
    return target;
  });
}

/**
 * Changes the given fields. Throws NotFound; Invalid like {@link createTarget}; Conflict naming the ad sets that use
 * the target if its app would change.
 */
export async function updateTarget(
  ctx: Context,
  actor: Actor,
  { uuid, ...input }: TargetUpdate & { uuid: string },
): Promise<Target> {
  requirePermission(actor, 'target.write');
  return transact(ctx.db, async (tx) => {
    const before = await lockedTarget(tx.db, actor.companyId, uuid);
    await requireExpected(() => before);
    return changeTarget(ctx, tx, actor, before, input);
  });
}

/** The company's targets among `uuids`, in no order. */
export async function targetsByUuid(
  ctx: Context,
  { companyId }: Owner,
  uuids: readonly string[],
): Promise<Target[]> {
  if (uuids.length === 0) return [];
  const rows = await ctx.db
    .selectFrom('targets')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', anyOf(uuids))
    .execute();
  return loadTargets(ctx.db, companyId, rows);
}

/** Reads a target and locks it until the transaction ends. Throws NotFound. */
export async function lockedTarget(db: Db, companyId: string, uuid: string): Promise<Target> {
  const row = await lockOwned(db, 'targets', companyId, uuid);
  if (!row) throw new NotFound('Target');
  return loadTarget(db, companyId, row);
}

/** {@link updateTarget} in the caller's transaction, of a target that it has locked. */
export async function changeTarget(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  before: Target,
  { app_id: appUuid, name, description, ...input }: TargetUpdate,
): Promise<Target> {
  const { companyId } = actor;
  const { uuid } = before;
  await requireAudiences(tx.db, companyId, input, before);
  requireNoContradiction(input, before);
  const stored = settingsOf(before);
  const settings = { ...stored, ...(await asReferenced(tx.db, input, stored)) };
  requireVersionOrder(settings);
  requirePlacesTogether(settings, stored);
  if (appUuid !== undefined && appUuid !== before.app.uuid) {
    await requireApp(tx.db, companyId, appUuid, 'app_id');
    await requireUnusedByAdsets(tx.db, companyId, 'target', uuid);
  }
  const written = await updateOwned(tx.db, 'targets', companyId, uuid, {
    app_uuid: appUuid,
    name,
    description,
    settings: json(settings),
    updated_at: ctx.now(),
  });
  const after = await loadTarget(tx.db, companyId, written);
  await recordSavedTarget(ctx, tx, actor, before, after);
  return after;
}

async function recordSavedTarget(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  before: Target | null,
  after: Target,
): Promise<void> {
  const named = await audienceNaming(tx.db, actor.companyId, [before, after]);
  await recordSaved(ctx, tx, actor, {
    entity: 'target',
    before,
    after,
    logged: (target) => named(logged(target)),
  });
}

function settingsOf(target: Target): TargetSettings {
  const fields = namesOf(targetFields).map((field) => [field, target[field]]);
  return Object.fromEntries(fields) as TargetSettings;
}

/**
 * Throws Invalid where the places of a target cannot match together. What was stored so before does not stop other changes.
 */
function requirePlacesTogether(settings: TargetSettings, before: TargetSettings | null): void {
  const apart = apartPlaces(settings);
  if (apart && (before === null || apartPlaces(before) === null)) throw new Invalid([apart]);
}

function requireVersionOrder(settings: TargetSettings): void {
  const { device_min_os_version: oldest, device_max_os_version: newest } = settings;
  if (!oldest || !newest) return;
  const [low, high] = [oldest.split('.').map(Number), newest.split('.').map(Number)];
  // A newest version "12" includes every 12.x, so only the parts that are given are compared.
  const differing = high.findIndex((part, index) => part !== (low[index] ?? 0));
  if (differing >= 0 && high[differing]! < (low[differing] ?? 0)) {
    const message = targetMessages.versionOrder;
    throw new Invalid([{ field: 'device_max_os_version', message }]);
  }
}

async function loadTarget(db: Db, companyId: string, row: TargetRow): Promise<Target> {
  const appOf = await appsOf(db, companyId, [row]);
  return presentTarget(row, appOf(row));
}

async function loadTargets(db: Db, companyId: string, rows: readonly TargetRow[]): Promise<Target[]> {
  const appOf = await appsOf(db, companyId, rows);
  return rows.map((row) => presentTarget(row, appOf(row)));
}

function presentTarget(row: TargetRow, app: AppSummary): Target {
  return {
    uuid: row.uuid,
    name: row.name,
    description: row.description,
    app,
    // An earlier release stored it without later fields.
    ...emptyTargetSettings,
    ...row.settings,
    ...presentTimes(row),
  };
}

function logged({ app, ...target }: Target): LoggedFields {
  return { ...target, app: { uuid: app.uuid, name: app.name } };
}

/**
 * Validates list fields against their reference lists, normalizes the spelling and removes duplicates. Values that
 * the target already has may stay when their list no longer has them, such as an exchange that was switched off.
 * Throws Invalid on the fields with other values.
 */
async function asReferenced<Input extends Partial<TargetSettings>>(
  db: Db,
  input: Input,
  before: TargetSettings | null,
): Promise<Input> {
  const lists = await referenceLists(db);
  const errors: { field: string; message: string }[] = [];
  const known: Partial<Record<ListField, string[]>> = {};
  for (const field of Object.keys(lists) as ListField[]) {
    const values = input[field];
    if (values === undefined) continue;
    const { noun, values: reference } = lists[field];
    const previous = new Set(before?.[field]);
    const written = values.map(
      (value) => reference.get(value.toLowerCase()) ?? (previous.has(value) ? value : null),
    );
    const unknown = values.find((_value, index) => written[index] === null);
    if (unknown !== undefined) errors.push({ field, message: messages.notInList(unknown, noun) });
    known[field] = [...new Set(written.filter((value) => value !== null))];
  }
  const places = withPlaces(input, placeLists, errors);
  if (errors.length > 0) throw new Invalid(errors);
  return { ...places, ...known };
}
