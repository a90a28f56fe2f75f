import { type Selectable, sql } from 'kysely';
import { json } from '../../../platform/postgres/client.ts';
import type { ApprovalRequestTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { personName } from '../../../platform/postgres/person-name.ts';

export type RequestRow = Selectable<ApprovalRequestTable>;
/** A request with the names of its campaign and people. */
export type ListedRow = RequestRow & {
  campaign_name: string;
  requested_by_name: string | null;
  decided_by_name: string | null;
};

const listed = (db: Db, companyId: string) =>
  db
    .selectFrom('approval_requests as request')
    .innerJoin('campaigns', 'campaigns.uuid', 'request.campaign_uuid')
    .leftJoin('users as requester', 'requester.uuid', 'request.requested_by')
    .leftJoin('users as decider', 'decider.uuid', 'request.decided_by')
    .selectAll('request')
    .select('campaigns.name as campaign_name')
    .select([
      personName<string | null>('requester').as('requested_by_name'),
      personName<string | null>('decider').as('decided_by_name'),
    ])
    .where('request.company_uuid', '=', companyId);

/** The open requests of a company, and at most `decidedMax` of those that are not open any more; each newest first. */
export async function listRequests(db: Db, companyId: string, decidedMax: number): Promise<ListedRow[]> {
  const open = await listed(db, companyId)
    .where('state', '=', 'open')
    .orderBy('request.created_at', 'desc')
    .orderBy('request.uuid', 'desc')
    .execute();
  const decided = await listed(db, companyId)
    .where('state', '<>', 'open')
    .orderBy('request.created_at', 'desc')
    .orderBy('request.uuid', 'desc')
    .limit(decidedMax)
    .execute();
  return [...open, ...decided];
}

export async function findRequest(db: Db, companyId: string, uuid: string): Promise<ListedRow | undefined> {
  return listed(db, companyId).where('request.uuid', '=', uuid).executeTakeFirst();
}

/** Like {@link findRequest}, locked until the transaction ends. */
export async function lockRequest(db: Db, companyId: string, uuid: string): Promise<ListedRow | undefined> {
  return listed(db, companyId).where('request.uuid', '=', uuid).forUpdate('request').executeTakeFirst();
}

/** Ends open requests of a company whose time is over. */
export async function expireRequests(db: Db, companyId: string, now: Date): Promise<void> {
  await db
    .updateTable('approval_requests')
    .set({ state: 'expired' })
    .where('company_uuid', '=', companyId)
    .where('state', '=', 'open')
    .where('expires_at', '<=', now)
    .execute();
}

/** Number of open requests of a company, and whether one of them is for a campaign. */
export async function openRequests(
  db: Db,
  companyId: string,
  campaignUuid: string,
): Promise<{ count: number; hasOwn: boolean }> {
  const row = await db
    .selectFrom('approval_requests')
    .select((eb) => eb.fn.countAll<string | number>().as('count'))
    .select(sql<boolean>`coalesce(bool_or(campaign_uuid = ${campaignUuid}::uuid), false)`.as('has_own'))
    .where('company_uuid', '=', companyId)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
  return { count: Number(row.count), hasOwn: row.has_own };
}

export async function insertRequest(
  db: Db,
  companyId: string,
  request: Omit<RequestRow, 'company_uuid' | 'state' | 'reason' | 'decided_by' | 'decided_at'>,
): Promise<void> {
  await db
    .insertInto('approval_requests')
    .values({
      ...request,
      company_uuid: companyId,
      state: 'open',
      change: json(request.change),
      budgets: json(request.budgets),
      before: json(request.before),
      decided_by: null,
      decided_at: null,
    })
    .execute();
}

export async function endRequest(
  db: Db,
  companyId: string,
  uuid: string,
  ended: Pick<RequestRow, 'state' | 'reason' | 'decided_by' | 'decided_at'>,
): Promise<void> {
  await db
    .updateTable('approval_requests')
    .set(ended)
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}
