import type { Mmp } from '@bidwell/contract/apps/fields';
import { type Selectable, sql } from 'kysely';
import type {
  PostbackCopyTable,
  PostbackCopyTargetTable,
} from '../../../platform/postgres/partner-delivery-tables.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

export type CopyTargetRow = Selectable<PostbackCopyTargetTable>;
export type CopyRow = Selectable<PostbackCopyTable>;

/** An app of a company; undefined for another company's and a deleted one. */
export async function findCopiedApp(
  db: Db,
  companyId: string,
  uuid: string,
): Promise<{ name: string; os: string } | undefined> {
  return db
    .selectFrom('apps')
    .select(['name', 'os'])
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

export async function listTargetRows(db: Db, companyId: string, appId: string): Promise<CopyTargetRow[]> {
  return db
    .selectFrom('postback_copy_targets')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('app_uuid', '=', appId)
    .execute();
}

/** Adds a target, or replaces it. */
export async function saveTarget(
  db: Db,
  companyId: string,
  row: Omit<CopyTargetRow, 'company_uuid' | 'accepted_at'>,
): Promise<void> {
  const { is_enabled, url, adattributionkit_url } = row;
  await db
    .insertInto('postback_copy_targets')
    .values({ ...row, company_uuid: companyId, accepted_at: null })
    .onConflict((conflict) =>
      conflict.columns(['app_uuid', 'mmp']).doUpdateSet({ is_enabled, url, adattributionkit_url }),
    )
    .execute();
}

/** The latest copies of an app's postbacks, newest first. */
export async function listCopyRows(
  db: Db,
  companyId: string,
  { appId, limit }: { appId: string; limit: number },
): Promise<CopyRow[]> {
  return db
    .selectFrom('postback_copies')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('app_uuid', '=', appId)
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit)
    .execute();
}

/** Makes a copy that does not wait due at once, as if it had not been tried. False if it waits already. */
export async function restartCopy(db: Db, companyId: string, uuid: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('postback_copies')
    .set({ status: 'waiting', attempts: 0, next_attempt_at: at, error: null })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .where('status', '!=', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** A copy with the postback that it is of and where it goes. */
export interface BegunCopy extends CopyRow {
  body: Buffer | null;
  received_at: Date | null;
  is_enabled: boolean | null;
  url: string | null;
  adattributionkit_url: string | null;
  campaign_uuid: string | null;
  campaign_name: string | null;
  adset_uuid: string | null;
  adset_name: string | null;
}

/** Notes that a copy is tried, and reads it. Undefined for one that does not wait any more. */
export async function beginCopy(
  db: Db,
  companyId: string,
  { uuid, attempts, at }: { uuid: string; attempts: number; at: Date },
): Promise<BegunCopy | undefined> {
  const { rows } = await sql<BegunCopy>`
    with begun as (
      update postback_copies set attempts = ${attempts}, attempted_at = ${at}
      where company_uuid = ${companyId} and uuid = ${uuid} and status = 'waiting'
      returning *
    )
    select begun.*, p.body, p.received_at, t.is_enabled, t.url, t.adattributionkit_url,
      c.uuid as campaign_uuid, c.name as campaign_name, s.uuid as adset_uuid, s.name as adset_name
    from begun
    left join install_postbacks p on p.framework = begun.framework and p.transaction_id = begun.transaction_id
      and p.sequence_index = begun.sequence_index and p.company_uuid = begun.company_uuid
    left join postback_copy_targets t on t.app_uuid = begun.app_uuid and t.mmp = begun.mmp
    left join adsets s on s.uuid = p.adset_uuid and s.company_uuid = begun.company_uuid
    left join campaigns c on c.uuid = s.campaign_uuid`.execute(db);
  return rows[0];
}

/** Notes when a partner last accepted a copy. */
export async function noteAccepted(
  db: Db,
  companyId: string,
  { appId, mmp, at }: { appId: string; mmp: Mmp; at: Date },
): Promise<void> {
  await db
    .updateTable('postback_copy_targets')
    .set({ accepted_at: at })
    .where('company_uuid', '=', companyId)
    .where('app_uuid', '=', appId)
    .where('mmp', '=', mmp)
    .execute();
}

/** A copy that waits and has no message. */
export type UnqueuedCopy = Pick<CopyRow, 'uuid' | 'company_uuid' | 'attempts' | 'mmp'> & {
  host: string | null;
};

/** Copies that wait and have no message, of all companies: postbacks have arrived. */
export async function copiesWithoutMessage(db: Db, limit: number): Promise<UnqueuedCopy[]> {
  const { rows } = await sql<UnqueuedCopy>`
    select c.uuid, c.company_uuid, c.attempts, c.mmp,
      substring(case c.framework when 'skadnetwork' then t.url else t.adattributionkit_url end
        from '^https://([^/?#]+)') as host
    from postback_copies c left join postback_copy_targets t on t.app_uuid = c.app_uuid and t.mmp = c.mmp
    where c.status = 'waiting' and not exists (
      select from messages m where m.kind = 'postback_copy' and m.about = c.uuid::text)
    order by c.created_at limit ${limit}`.execute(db);
  return rows;
}

/** Deletes at most `rowsMax` copies of all companies from before an instant. Resolves to their number. */
export async function deleteCopiesBefore(db: Db, before: Date, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from postback_copies where uuid in (
      select uuid from postback_copies where created_at < ${before} limit ${rowsMax}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
