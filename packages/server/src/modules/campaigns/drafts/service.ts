import {
  DRAFTS_MAX,
  type Draft,
  type DraftInput,
  type DraftSummary,
  type DraftUpdate,
  type DraftVersion,
} from '@bidwell/contract/drafts/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { truncate } from '@bidwell/contract/lib/truncate';
import { commentApiMessages } from '@bidwell/contract/comments/api-messages';
import { draftApiMessages } from '@bidwell/contract/drafts/api-messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor, Owner } from '../../../platform/actor.ts';
import { Conflict, NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Tx, transact, type Db } from '../../../platform/postgres/transaction.ts';
import { keepCommentsOfDraft } from '../comments/service.ts';
import type { Selectable } from 'kysely';
import type { CampaignDraftTable } from '../../../platform/postgres/schema.ts';
import { lockCompanyRow } from '../../../platform/postgres/locks.ts';
import { personName } from '../../../platform/postgres/person-name.ts';
import { setOwned } from '../../../platform/postgres/stores/owned-store.ts';

/** The drafts of campaigns of the actor's company, the one that was changed last first. */
export async function listDrafts(ctx: Context, actor: Actor): Promise<DraftSummary[]> {
  requirePermission(actor, 'campaign.read');
  return (await listDraftRows(ctx.db, actor.companyId)).map(presentSummary);
}

/** Reads one draft with its values. Throws NotFound. */
export async function getDraft(ctx: Context, actor: Actor, uuid: string): Promise<Draft> {
  requirePermission(actor, 'campaign.read');
  const row = await findDraft(ctx.db, actor.companyId, uuid);
  if (!row) throw new NotFound('Draft');
  return { ...presentSummary(row), values: JSON.parse(row.values_json) as Draft['values'] };
}

/** Stores the values that a user typed in the form of a new campaign. Throws Conflict at the company's limit. */
export async function createDraft(ctx: Context, actor: Actor, { values }: DraftInput): Promise<DraftSummary> {
  requirePermission(actor, 'campaign.write');
  const { companyId, userId } = actor;
  return transact(ctx.db, async (tx) => {
    if ((await lockedDraftCount(tx.db, companyId)) >= DRAFTS_MAX)
      throw new Conflict(draftApiMessages.draftsMax(DRAFTS_MAX));
    const uuid = uuidv7();
    await insertDraft(tx.db, companyId, { uuid, ...columnsOf(values), userId, at: ctx.now() });
    return summaryOf(tx, companyId, uuid);
  });
}

/**
 * Replaces the values of a draft. Throws NotFound; Conflict, naming who, where the draft has another version than the one that
 * was changed. Saving the values that it has already changes nothing.
 */
export async function updateDraft(
  ctx: Context,
  actor: Actor,
  { uuid, values, version }: DraftUpdate & { uuid: string },
): Promise<DraftSummary> {
  requirePermission(actor, 'campaign.write');
  const { companyId, userId } = actor;
  return transact(ctx.db, async (tx) => {
    const locked = await lockDraft(tx.db, companyId, uuid);
    const before = locked && (await findDraft(tx.db, companyId, uuid));
    if (!before) throw new NotFound('Draft');
    const columns = columnsOf(values);
    // A save whose response was lost is sent again.
    if (before.values_json === columns.values_json) return presentSummary(before);
    requireVersion(before, version);
    const changed = { ...columns, version: before.version + 1, updated_by: userId, updated_at: ctx.now() };
    await setOwned(tx.db, 'campaign_drafts', companyId, uuid, changed);
    return summaryOf(tx, companyId, uuid);
  });
}

/** Discards a draft. Throws NotFound. */
export async function discardDraft(ctx: Context, actor: Actor, { uuid }: { uuid: string }): Promise<void> {
  requirePermission(actor, 'campaign.write');
  await transact(ctx.db, async (tx) => {
    if (!(await deleteDraft(tx.db, actor.companyId, uuid))) throw new NotFound('Draft');
  });
}

/**
 * Deletes the draft from which a campaign was created, in the caller's transaction: a draft becomes one campaign at most, which
 * takes its comments over. Throws Conflict if it was used or discarded, or changed since the caller saw it.
 */
export async function useDraft(
  tx: Tx,
  owner: Owner,
  { uuid, version }: DraftVersion,
  campaign: string,
): Promise<void> {
  const draft = await lockDraft(tx.db, owner.companyId, uuid);
  if (!draft) throw new Conflict(draftApiMessages.draftGone);
  requireVersion(draft, version);
  await keepCommentsOfDraft(tx, owner, { draft: uuid, campaign });
  await deleteDraft(tx.db, owner.companyId, uuid);
}

function requireVersion(draft: DraftSummaryRow, version: number): void {
  if (draft.version !== version)
    throw new Conflict(
      draftApiMessages.draftChanged(draft.updated_by_name ?? commentApiMessages.formerPerson),
    );
}

function columnsOf(values: DraftInput['values']): { name: string; values_json: string } {
  const { name } = values;
  const typed = typeof name === 'string' ? name.trim() : '';
  return { name: truncate(typed, limits.titleMax), values_json: JSON.stringify(values) };
}

async function summaryOf(tx: Tx, companyId: string, uuid: string): Promise<DraftSummary> {
  const row = await findDraft(tx.db, companyId, uuid);
  if (!row) throw new NotFound('Draft');
  return presentSummary(row);
}

function presentSummary(row: DraftSummaryRow): DraftSummary {
  return {
    uuid: row.uuid,
    name: row.name,
    version: row.version,
    created_by: row.created_by_name ?? commentApiMessages.formerPerson,
    updated_by: row.updated_by_name ?? commentApiMessages.formerPerson,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** A draft without its values, with the names of who began and changed it. */
type DraftSummaryRow = Omit<Selectable<CampaignDraftTable>, 'values_json'> & {
  created_by_name: string | null;
  updated_by_name: string | null;
};

type DraftRow = DraftSummaryRow & { values_json: string };

const summaries = (db: Db, companyId: string) =>
  db
    .selectFrom('campaign_drafts as draft')
    .leftJoin('users as creator', 'creator.uuid', 'draft.created_by')
    .leftJoin('users as editor', 'editor.uuid', 'draft.updated_by')
    .select(['draft.uuid', 'draft.company_uuid', 'draft.name', 'draft.version'])
    .select(['draft.created_by', 'draft.updated_by', 'draft.created_at', 'draft.updated_at'])
    .select([
      personName<string | null>('creator').as('created_by_name'),
      personName<string | null>('editor').as('updated_by_name'),
    ])
    .where('draft.company_uuid', '=', companyId);

/** The drafts of a company, the one that was changed last first. */
async function listDraftRows(db: Db, companyId: string): Promise<DraftSummaryRow[]> {
  return summaries(db, companyId).orderBy('draft.updated_at', 'desc').orderBy('draft.uuid', 'desc').execute();
}

async function findDraft(db: Db, companyId: string, uuid: string): Promise<DraftRow | undefined> {
  return summaries(db, companyId)
    .select('draft.values_json')
    .where('draft.uuid', '=', uuid)
    .executeTakeFirst();
}

/** Like {@link findDraft} without the values, locked until the transaction ends. */
async function lockDraft(db: Db, companyId: string, uuid: string): Promise<DraftSummaryRow | undefined> {
  return summaries(db, companyId).where('draft.uuid', '=', uuid).forUpdate('draft').executeTakeFirst();
}

/** Number of drafts of a company, whose row it locks, so that no two of them are the last that fits. */
async function lockedDraftCount(db: Db, companyId: string): Promise<number> {
  await lockCompanyRow(db, companyId);
  const { count } = await db
    .selectFrom('campaign_drafts')
    .select((eb) => eb.fn.countAll<string | number>().as('count'))
    .where('company_uuid', '=', companyId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

type NewDraft = Pick<DraftRow, 'uuid' | 'name' | 'values_json'> & { userId: string | null; at: Date };

export async function insertDraft(
  db: Db,
  companyId: string,
  { uuid, name, values_json, userId, at }: NewDraft,
): Promise<void> {
  await db
    .insertInto('campaign_drafts')
    .values({
      uuid,
      company_uuid: companyId,
      name,
      values_json,
      version: 1,
      created_by: userId,
      updated_by: userId,
      created_at: at,
      updated_at: at,
    })
    .execute();
}

async function deleteDraft(db: Db, companyId: string, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('campaign_drafts')
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
