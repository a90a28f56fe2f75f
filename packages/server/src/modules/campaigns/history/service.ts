import { bundleFields } from '@bidwell/contract/adsets/fields';
import { type Adset, AdsetUpdate } from '@bidwell/contract/adsets/schema';
import { type Campaign, CampaignUpdate } from '@bidwell/contract/campaigns/schema';
import type { Change, ChangeList, ListedChange } from '@bidwell/contract/changes/schema';
import { namesOf } from '@bidwell/contract/lib/fields';
import { fieldLabel } from '@bidwell/contract/text/field-label';
import { type Target, TargetUpdate } from '@bidwell/contract/targets/schema';
import { undoApiMessages } from '@bidwell/contract/history/api-messages';
import { messages } from '@bidwell/contract/text/messages';
import { type UndoneChange, isStartOrPause } from '@bidwell/contract/history/schema';
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { Actor, Owner } from '../../../platform/actor.ts';
import { Conflict, Invalid, NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { adsetsByUuid, changeAdset, adsetsOfCompany, lockedAdset } from '../adsets/service.ts';
import { saveInTurn } from '../adsets/save-queue.ts';
import { campaignsByUuid, changeCampaign, campaignOf, lockedCampaign } from '../service.ts';
import { changeTarget, lockedTarget, targetsByUuid } from '../../catalog/public.ts';
import { getChange, listChanges } from '../../changes/public.ts';
import { type RestoredField, canUndo, restoredFields, restoredValue } from './restored-fields.ts';

const nouns = { adset: 'ad set', campaign: 'campaign', target: 'target' } as const;
type UndoableType = keyof typeof nouns;
type Undoable = Pick<Adset | Campaign | Target, 'name' | 'archived_at'>;

/** The calls that undo a pause and a start of a campaign. */
export type StatusCalls = Readonly<
  Record<'start' | 'pause', (ctx: Context, actor: Actor, campaign: { uuid: string }) => Promise<unknown>>
>;

/**
 * Sets the fields of a changed campaign, ad set or target back to their values before the change, by an update with its validation,
 * which is a change of its own that names the one that it takes back. Throws NotFound; Conflict for a change that cannot be undone, if a field has another value
 * than the change gave it, if the entity is archived or deleted, and if the update is not valid any more. Ad sets are changed
 * when it is the company's turn, as by {@link saveInTurn}, with its errors.
 */
export async function undoChange(
  ctx: Context,
  caller: Actor,
  uuid: string,
  calls: StatusCalls,
): Promise<UndoneChange> {
  requirePermission(caller, 'change.undo');
  const change = await getChange(ctx, caller, uuid);
  const { entity_type, entity_uuid, action, author, created_at } = change;
  const actor: Actor = { ...caller, undoes: { uuid, action, author, created_at } };
  const fields = fieldsOf(change);
  try {
    if (!fields) throw new Conflict(undoApiMessages.undoNever);
    if (isStartOrPause(change)) await undoStatus(ctx, actor, change, fields, calls);
    else if (entity_type === 'adset') await undoOfAdset(ctx, actor, entity_uuid, fields);
    else if (entity_type === 'target') await undoOfTarget(ctx, actor, entity_uuid, fields);
    else await undoOfCampaign(ctx, actor, entity_uuid, fields);
  } catch (error) {
    throw asConflict(error, nouns[entity_type as UndoableType]);
  }
  return { entity_type, entity_uuid };
}

/**
 * A page of the company's change log, newest first, with the changes that can be undone. Throws NotFound for another
 * company.
 */
export async function listHistory(
  ctx: Context,
  actor: Actor,
  companyId: string,
  page: { page: number; limit: number },
): Promise<ChangeList> {
  requirePermission(actor, 'change.read');
  const { changes, total } = await listChanges(ctx, actor, companyId, page);
  return { changes: await withUndo(ctx, actor, changes), total };
}

/** Ad sets that are read with their bundles at once, each of which may have 1 MiB of them. */
const WITH_BUNDLES = 10;
const namesOfBundleFields: ReadonlySet<string> = new Set(namesOf(bundleFields));

/**
 * Says of each change whether {@link undoChange} would set something back now, but for the validation of the values. Reads the
 * bundles of those ad sets only of which a change of bundles is listed.
 */
export async function withUndo<Entry extends Change>(
  ctx: Context,
  owner: Owner,
  changes: readonly Entry[],
): Promise<(Entry & ListedChange)[]> {
  const candidates = changes.filter(canUndo);
  const uuidsOf = (type: UndoableType, among: readonly Change[] = candidates) => [
    ...new Set(among.filter((one) => one.entity_type === type).map((one) => one.entity_uuid)),
  ];
  const undoable = new Set<string>();
  const add = (entities: readonly (Undoable & { uuid: string })[]): void => {
    const byUuid = new Map(entities.map((entity) => [entity.uuid, entity]));
    for (const change of candidates) {
      const entity = byUuid.get(change.entity_uuid);
      if (entity && isUndoable(change, entity)) undoable.add(change.uuid);
    }
  };
  const withBundles = uuidsOf('adset', candidates.filter(changesBundles));
  const others = uuidsOf('adset').filter((uuid) => !withBundles.includes(uuid));
  add(await campaignsByUuid(ctx, owner, uuidsOf('campaign')));
  add(await targetsByUuid(ctx, owner, uuidsOf('target')));
  add(await adsetsOfCompany(ctx, owner, others));
  for (let from = 0; from < withBundles.length; from += WITH_BUNDLES)
    add(await adsetsByUuid(ctx, owner, withBundles.slice(from, from + WITH_BUNDLES)));
  return changes.map((change) => ({ ...change, can_undo: undoable.has(change.uuid) }));
}

const changesBundles = ({ fields }: Change): boolean =>
  fields.some(({ field }) => namesOfBundleFields.has(field));

/** Whether an entity has all the values that a change gave it. */
function isUndoable(change: Change, entity: Undoable): boolean {
  const fields = fieldsOf(change);
  return fields !== null && entity.archived_at === null && differing(entity, fields, 'isAfter').length === 0;
}

/** The fields that an undo sets back, including a start and a pause. */
function fieldsOf(change: Change): RestoredField[] | null {
  if (!isStartOrPause(change)) return restoredFields(change);
  const [before, after] = change.action === 'start' ? ['Paused', 'Active'] : ['Active', 'Paused'];
  return [restoredValue('status', 'status', { before, after })];
}

/** The fields of which an entity has another value than before or after the change. */
function differing(
  entity: Undoable,
  fields: readonly RestoredField[],
  isThen: 'isBefore' | 'isAfter',
): RestoredField[] {
  const now = valuesOf(entity);
  return fields.filter((one) => !one[isThen](now.get(one.field)));
}

const valuesOf = (entity: Undoable) => new Map<string, unknown>(Object.entries(entity));

/** Calls the opposite of a start or a pause. */
async function undoStatus(
  ctx: Context,
  actor: Actor,
  { entity_uuid, action }: Change,
  fields: readonly RestoredField[],
  calls: StatusCalls,
): Promise<void> {
  requireUnchanged('campaign', await campaignOf(ctx, actor, entity_uuid), fields);
  await calls[action === 'start' ? 'pause' : 'start'](ctx, actor, { uuid: entity_uuid });
}

async function undoOfAdset(
  ctx: Context,
  actor: Actor,
  uuid: string,
  fields: readonly RestoredField[],
): Promise<void> {
  await saveInTurn(actor, async () =>
    transact(ctx.db, async (tx) => {
      const adset = await lockedAdset(tx.db, actor.companyId, uuid);
      requireUnchanged('adset', adset, fields);
      await changeAdset(ctx, tx, actor, adset, updateOf(AdsetUpdate, adset, fields));
    }),
  );
}

async function undoOfCampaign(
  ctx: Context,
  actor: Actor,
  uuid: string,
  fields: readonly RestoredField[],
): Promise<void> {
  await transact(ctx.db, async (tx) => {
    const campaign = await lockedCampaign(tx.db, actor.companyId, uuid);
    requireUnchanged('campaign', campaign, fields);
    await changeCampaign(ctx, tx, actor, campaign, updateOf(CampaignUpdate, campaign, fields));
  });
}

async function undoOfTarget(
  ctx: Context,
  actor: Actor,
  uuid: string,
  fields: readonly RestoredField[],
): Promise<void> {
  await transact(ctx.db, async (tx) => {
    const target = await lockedTarget(tx.db, actor.companyId, uuid);
    requireUnchanged('target', target, fields);
    await changeTarget(ctx, tx, actor, target, updateOf(TargetUpdate, target, fields));
  });
}

/** Throws Conflict unless the entity is in use and all fields have the values that the change gave them. */
function requireUnchanged(type: UndoableType, entity: Undoable, fields: readonly RestoredField[]): void {
  if (entity.archived_at !== null) throw new Conflict(messages.archived(nouns[type], entity.name));
  const changed = differing(entity, fields, 'isAfter');
  if (changed.length === 0) return;
  if (differing(entity, fields, 'isBefore').length === 0) throw new Conflict(undoApiMessages.undoDone);
  throw new Conflict(undoApiMessages.undoOutdated(changed.map(({ field }) => fieldLabel(field)).join(', ')));
}

/** The update that sets the earlier values. Throws Conflict if they are not valid any more. */
function updateOf<Schema extends z.ZodType>(
  schema: Schema,
  entity: Undoable,
  fields: readonly RestoredField[],
): z.output<Schema> {
  const now = valuesOf(entity);
  const parsed = schema.safeParse(
    Object.fromEntries(fields.map(({ field, input, restored }) => [input, restored(now.get(field))])),
  );
  if (!parsed.success) throw new Conflict(undoApiMessages.undoInvalid(sentences(parsed.error.issues)));
  return parsed.data;
}

/** An undo has no fields beneath which its errors could be shown. */
function asConflict(error: unknown, noun: string): unknown {
  if (error instanceof NotFound) return new Conflict(undoApiMessages.undoDeleted(noun));
  if (!(error instanceof Invalid)) return error;
  const { fields, message } = error;
  return new Conflict(undoApiMessages.undoInvalid(fields.length > 0 ? sentences(fields) : message));
}

const sentences = (errors: readonly { message: string }[]) =>
  [...new Set(errors.map(({ message }) => `${message.replace(/\.$/, '')}.`))].join(' ');
