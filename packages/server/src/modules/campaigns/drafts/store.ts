import type { Selectable } from 'kysely';
import type { CampaignDraftTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { lockCompanyRow } from '../../../platform/postgres/lock-company.ts';
import { personName } from '../../../platform/postgres/person-name.ts';

/** A draft without its values, with the names of who began and changed it. */
export type DraftSummaryRow = Omit<Selectable<CampaignDraftTable>, 'values_json'> & {
  created_by_name: string | null;
  updated_by_name: string | null;
};
export type DraftRow = DraftSummaryRow & { values_json: string };

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
export async function listDraftRows(db: Db, companyId: string): Promise<DraftSummaryRow[]> {
  return summaries(db, companyId).orderBy('draft.updated_at', 'desc').orderBy('draft.uuid', 'desc').execute();
}

export async function findDraft(db: Db, companyId: string, uuid: string): Promise<DraftRow | undefined> {
  return summaries(db, companyId)
    .select('draft.values_json')
    .where('draft.uuid', '=', uuid)
    .executeTakeFirst();
}

/** Like {@link findDraft} without the values, locked until the transaction ends. */
export async function lockDraft(
  db: Db,
  companyId: string,
  uuid: string,
): Promise<DraftSummaryRow | undefined> {
  return summaries(db, companyId).where('draft.uuid', '=', uuid).forUpdate('draft').executeTakeFirst();
}

/** Number of drafts of a company, whose row it locks, so that no two of them are the last that fits. */
export async function lockedDraftCount(db: Db, companyId: string): Promise<number> {
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

export async function updateDraftRow(
  db: Db,
  companyId: string,
  { uuid, name, values_json, version, userId, at }: NewDraft & { version: number },
): Promise<void> {
  await db
    .updateTable('campaign_drafts')
    .set({ name, values_json, version, updated_by: userId, updated_at: at })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

export async function deleteDraft(db: Db, companyId: string, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('campaign_drafts')
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
