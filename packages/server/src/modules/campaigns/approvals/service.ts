import {
  APPROVAL_DAYS,
  type Approval,
  type ApprovalInput,
  type ApprovalState,
  DECIDED_APPROVALS_MAX,
  OPEN_APPROVALS_MAX,
  type AdsetChange,
} from '@bidwell/contract/approvals/schema';
import type { NotificationMessage } from '@bidwell/contract/notifications/severity';
import { toDollars, toMicros, type Micros, MICROS } from '@bidwell/contract/lib/money';
import { approvalApiMessages } from '@bidwell/contract/approvals/api-messages';
import { campaignApiMessages } from '@bidwell/contract/campaigns/api-messages';
import { commentApiMessages } from '@bidwell/contract/comments/api-messages';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Conflict, Forbidden, NotFound, Invalid } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Tx, transact, type Db } from '../../../platform/postgres/transaction.ts';
import { saveInTurn } from '../adsets/save-queue.ts';
import { changeAdset, lockedAdset } from '../adsets/service.ts';
import {
  approverIds,
  mayAskApproval,
  missingApproval,
  campaignBudgets,
  budgetSum,
} from './budget-approval.ts';
import { startWithin } from '../start.ts';
import { availableMicros } from '../../money/public.ts';
import { notify } from '../../messaging/public.ts';
import { createHash } from 'node:crypto';
import type {
  ApprovedBudget,
  RequestedChange,
  ApprovalRequestTable,
} from '../../../platform/postgres/schema.ts';
import { lockOwned } from '../../../platform/postgres/stores/owned-store.ts';
import { type Selectable, sql } from 'kysely';
import { json } from '../../../platform/postgres/client.ts';
import { personName } from '../../../platform/postgres/person-name.ts';

const DAY_MS = 86_400_000;

/** The open requests of the actor's company, and the latest of those that are not open any more. */
export async function listApprovals(ctx: Context, actor: Actor): Promise<Approval[]> {
  requirePermission(actor, 'campaign.read');
  const now = ctx.now();
  const rows = await listRequests(ctx.db, actor.companyId, DECIDED_APPROVALS_MAX);
  return rows.map((row) => presentRequest(row, now));
}

/**
 * Requests the approval of a second person to start a campaign, or to change the budgets of a running one; the users who may approve it are
 * notified. Throws NotFound; Invalid for ad sets that the campaign does not have; Conflict where no approval is needed, for a campaign with
 * an open request, and at the company's limit; Forbidden for a caller who is no person.
 */
export async function requestApproval(ctx: Context, actor: Actor, input: ApprovalInput): Promise<Approval> {
  requirePermission(actor, 'approval.write');
  const userId = personOf(actor);
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    const at = ctx.now();
    const change = changeOf(input);
    const { campaignName, ...outcome } = await outcomeOf(tx, companyId, input.campaign_uuid, change);
    await expireRequests(tx.db, companyId, at);
    const { count, hasOwn } = await openRequests(tx.db, companyId, input.campaign_uuid);
    if (hasOwn) throw new Conflict(approvalApiMessages.approvalOpen);
    if (count >= OPEN_APPROVALS_MAX) throw new Conflict(approvalApiMessages.approvalsMax(OPEN_APPROVALS_MAX));
    const uuid = uuidv7();
    await insertRequest(tx.db, companyId, {
      uuid,
      campaign_uuid: input.campaign_uuid,
      change,
      ...outcome,
      note: input.note,
      requested_by: userId,
      created_at: at,
      expires_at: new Date(at.getTime() + APPROVAL_DAYS * DAY_MS),
    });
    const row = await found(tx, companyId, uuid);
    const others = (await approverIds(tx.db, companyId)).filter((one) => one !== userId);
    await notifyAll(ctx, tx, row, others, notificationMessages.approvalRequested(nameOf(row), campaignName));
    return presentRequest(row, at);
  });
}

/**
 * Approves another user's request, and makes the change in the same transaction: exactly the requested change that the approver
 * saw (`hash`), or none. Throws NotFound; Conflict for the caller's own request, for a request that is not open, and for a request
 * whose campaign was changed meanwhile, which is outdated from then on; and the errors of the change itself. Forbidden for a
 * caller who is no person.
 */
export async function approve(
  ctx: Context,
  actor: Actor,
  { uuid, hash }: { uuid: string; hash: string },
): Promise<Approval> {
  requirePermission(actor, 'approval.write');
  const userId = personOf(actor);
  const { companyId } = actor;
  const approved = await saveInTurn(actor, async () => {
    const available = await availableMicros(ctx, companyId);
    return transact(ctx.db, async (tx) => {
      const row = await openOfOther(ctx, tx, actor, uuid);
      if (row.hash !== hash) throw new Conflict(approvalApiMessages.approvalOutdated);
      if (row.requested_by === null || !(await mayAskApproval(tx.db, companyId, row.requested_by)))
        throw new Conflict(approvalApiMessages.approvalPersonGone);
      if (!(await isCurrent(tx, row))) {
        await end(ctx, tx, row, { state: 'outdated', userId: null });
        return null;
      }
      // Before the change, which is checked against the approved budgets.
      const after = await end(ctx, tx, row, { state: 'approved', userId });
      await makeChange(
        ctx,
        tx,
        { ...actor, name: approvalApiMessages.approvedBy(nameOf(row), deciderOf(after)) },
        row,
        available,
      );
      await notifyRequester(
        ctx,
        tx,
        after,
        notificationMessages.approvalGiven(deciderOf(after), row.campaign_name),
      );
      return presentRequest(after, ctx.now());
    });
  });
  if (approved === null) throw new Conflict(approvalApiMessages.approvalOutdated);
  return approved;
}

/** Rejects another user's request with a reason; the requester is notified. Throws as {@link approve} does. */
export async function reject(
  ctx: Context,
  actor: Actor,
  { uuid, reason }: { uuid: string; reason: string },
): Promise<Approval> {
  requirePermission(actor, 'approval.write');
  const userId = personOf(actor);
  return transact(ctx.db, async (tx) => {
    const row = await openOfOther(ctx, tx, actor, uuid);
    const after = await end(ctx, tx, row, { state: 'rejected', userId, reason });
    const message = notificationMessages.approvalRejected(deciderOf(after), row.campaign_name, reason);
    await notifyRequester(ctx, tx, after, message);
    return presentRequest(after, ctx.now());
  });
}

/**
 * Withdraws the caller's own request. Throws NotFound; Conflict for another user's request, and for a request that is
 * not open.
 */
export async function withdraw(ctx: Context, actor: Actor, { uuid }: { uuid: string }): Promise<Approval> {
  requirePermission(actor, 'approval.write');
  const userId = personOf(actor);
  return transact(ctx.db, async (tx) => {
    const row = await openRequest(ctx, tx, actor, uuid);
    if (row.requested_by !== userId) throw new Conflict(approvalApiMessages.approvalOfOther);
    return presentRequest(await end(ctx, tx, row, { state: 'withdrawn', userId }), ctx.now());
  });
}

/**
 * The id of the person who makes a call. Throws Forbidden for a caller that is no person, which cannot be a second
 * person.
 */
function personOf({ role, userId }: Actor): string {
  if (role !== 'person' || userId === null) throw new Forbidden(campaignApiMessages.approvalPersons);
  return userId;
}

/** Locks an open request. Throws NotFound, and Conflict where it is not open any more. */
async function openRequest(ctx: Context, tx: Tx, { companyId }: Actor, uuid: string): Promise<ListedRow> {
  const row = await lockRequest(tx.db, companyId, uuid);
  if (!row) throw new NotFound('Request');
  if (row.state !== 'open' || row.expires_at <= ctx.now())
    throw new Conflict(approvalApiMessages.approvalClosed);
  return row;
}

async function openOfOther(ctx: Context, tx: Tx, actor: Actor, uuid: string): Promise<ListedRow> {
  const row = await openRequest(ctx, tx, actor, uuid);
  if (row.requested_by === actor.userId) throw new Conflict(approvalApiMessages.approvalOwn);
  return row;
}

/** Whether the change still has the requested outcome. Locks the campaign. */
async function isCurrent(tx: Tx, row: ListedRow): Promise<boolean> {
  try {
    const { hash } = await outcomeOf(tx, row.company_uuid, row.campaign_uuid, row.change);
    return hash === row.hash;
  } catch (error) {
    if (error instanceof Conflict || error instanceof NotFound || !(error instanceof Error)) return false;
    if (error.name === 'Invalid') return false;
    throw error;
  }
}

async function makeChange(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  { company_uuid: companyId, campaign_uuid: campaignUuid, change }: ListedRow,
  available: number,
): Promise<void> {
  for (const { uuid, status, daily_budget_micros: daily, all_budget_micros: total } of change.adsets) {
    const before = await lockedAdset(tx.db, companyId, uuid);
    const input = {
      ...(status && { status }),
      ...(daily !== undefined && { daily_budget_const: daily === null ? null : toDollars(daily) }),
      ...(total !== undefined && { all_budget_const: total === null ? null : toDollars(total) }),
    };
    // Applied one after the other, they may exceed the budgets approved for all of them.
    await changeAdset(ctx, tx, actor, before, input, { isApproved: true });
  }
  const missing = await missingApproval(tx.db, companyId, campaignUuid);
  if (missing !== null) throw new Conflict(missing);
  if (change.start) await startWithin(ctx, tx, actor, campaignUuid, available);
}

async function end(
  ctx: Context,
  tx: Tx,
  { uuid, company_uuid: companyId }: ListedRow,
  { state, userId, reason = '' }: { state: ApprovalState; userId: string | null; reason?: string },
): Promise<ListedRow> {
  await endRequest(tx.db, companyId, uuid, { state, reason, decided_by: userId, decided_at: ctx.now() });
  tx.changes(companyId);
  return found(tx, companyId, uuid);
}

async function found(tx: Tx, companyId: string, uuid: string): Promise<ListedRow> {
  const row = await findRequest(tx.db, companyId, uuid);
  if (!row) throw new NotFound('Request');
  return row;
}

const nameOf = ({ requested_by_name }: ListedRow) => requested_by_name ?? commentApiMessages.formerPerson;
const deciderOf = ({ decided_by_name }: ListedRow) => decided_by_name ?? commentApiMessages.formerPerson;

async function notifyAll(
  ctx: Context,
  tx: Tx,
  { company_uuid: companyId, campaign_uuid: uuid }: ListedRow,
  userIds: readonly string[],
  message: NotificationMessage,
): Promise<void> {
  const notification = { kind: 'approval' as const, ...message, entity: { type: 'campaign' as const, uuid } };
  for (const userId of userIds) await notify(ctx, tx, companyId, { ...notification, userId });
}

/** Notifies the requester of the outcome of a request, while they may make it. */
async function notifyRequester(
  ctx: Context,
  tx: Tx,
  row: ListedRow,
  message: NotificationMessage,
): Promise<void> {
  const askers = await approverIds(tx.db, row.company_uuid);
  await notifyAll(
    ctx,
    tx,
    row,
    askers.filter((one) => one === row.requested_by),
    message,
  );
}

type Budget = Awaited<ReturnType<typeof campaignBudgets>>[number];

/** The outcome of a change to a campaign. */
interface Outcome {
  campaignName: string;
  /** The budgets of the ad sets that run now, and of those that run then. */
  before: ApprovedBudget[];
  budgets: ApprovedBudget[];
  /** Hash of the change and the resulting budgets. */
  hash: string;
}

/** The change of a request with amounts in micros. */
function changeOf({ start, adsets }: Pick<ApprovalInput, 'start' | 'adsets'>): RequestedChange {
  const micros = (dollars: number | null | undefined) => (dollars == null ? dollars : toMicros(dollars));
  return {
    start,
    adsets: adsets
      .map(({ uuid, status, daily_budget_const: daily, all_budget_const: total }: AdsetChange) => ({
        uuid,
        ...(status && { status }),
        ...(daily !== undefined && { daily_budget_micros: micros(daily) ?? null }),
        ...(total !== undefined && { all_budget_micros: micros(total) ?? null }),
      }))
      .toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1)),
  };
}

/**
 * Computes the outcome of a change to a campaign, and locks the campaign until the transaction ends. Throws NotFound; Invalid
 * for ad sets that the campaign does not have, or that are archived; Conflict where the change needs no approval, as of a
 * campaign that does not run.
 */
async function outcomeOf(
  tx: Tx,
  companyId: string,
  campaignUuid: string,
  change: RequestedChange,
): Promise<Outcome> {
  const campaign = await lockOwned(tx.db, 'campaigns', companyId, campaignUuid);
  if (!campaign) throw new NotFound('Campaign');
  const present = await campaignBudgets(tx.db, companyId, campaignUuid);
  const known = new Set(present.filter(({ archived_at }) => archived_at === null).map(({ uuid }) => uuid));
  if (!change.adsets.every(({ uuid }) => known.has(uuid)))
    throw new Invalid([{ field: 'adsets', message: apiMessages.notFound('Ad set') }]);
  const byUuid = new Map(change.adsets.map((one) => [one.uuid, one]));
  const changed = present.map((adset): Budget => ({ ...adset, ...byUuid.get(adset.uuid) }));
  const isRunning = campaign.status === 'Active';
  const needed = isRunning !== change.start;
  if (!needed || (await missingApproval(tx.db, companyId, campaignUuid, changed)) === null)
    throw new Conflict(approvalApiMessages.approvalNotNeeded);
  const budgets = running(changed);
  return {
    campaignName: campaign.name,
    before: isRunning ? running(present) : [],
    budgets,
    hash: hashOf(campaignUuid, change, budgets),
  };
}

function running(adsets: readonly Budget[]): ApprovedBudget[] {
  return adsets
    .filter(({ status, archived_at }) => status === 'Active' && archived_at === null)
    .map(({ uuid, name, daily_budget_micros, all_budget_micros }) => ({
      uuid,
      name,
      daily_budget_micros,
      all_budget_micros,
    }));
}

/** Hashes the applied values by ids and amounts, without names, which may change meanwhile. */
function hashOf(
  campaignUuid: string,
  { start, adsets }: RequestedChange,
  budgets: readonly ApprovedBudget[],
): string {
  const text = JSON.stringify([
    campaignUuid,
    start,
    adsets.map((one) => [
      one.uuid,
      one.status ?? '',
      one.daily_budget_micros === undefined ? '' : one.daily_budget_micros,
      one.all_budget_micros === undefined ? '' : one.all_budget_micros,
    ]),
    budgets.map((one) => [one.uuid, one.daily_budget_micros, one.all_budget_micros]),
  ]);
  return createHash('sha256').update(text).digest('hex');
}

/** A request as its response body has it; `now` decides whether its time is over. */
function presentRequest(row: ListedRow, now: Date): Approval {
  const changed = new Set(row.change.adsets.map(({ uuid }) => uuid));
  return {
    uuid: row.uuid,
    campaign: { uuid: row.campaign_uuid, name: row.campaign_name },
    state: row.state === 'open' && row.expires_at <= now ? 'expired' : row.state,
    start: row.change.start,
    adsets: row.budgets.map((one) => ({
      uuid: one.uuid,
      name: one.name,
      is_changed: changed.has(one.uuid),
      daily_budget_const: dollars(one.daily_budget_micros),
      all_budget_const: dollars(one.all_budget_micros),
    })),
    before: sums(row.before),
    after: sums(row.budgets),
    hash: row.hash,
    note: row.note,
    requested_by: { uuid: row.requested_by, name: row.requested_by_name ?? commentApiMessages.formerPerson },
    decided_by: row.decided_at && {
      uuid: row.decided_by,
      name: row.decided_by_name ?? commentApiMessages.formerPerson,
    },
    reason: row.reason,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
  };
}

const dollars = (micros: Micros | null) => (micros === null ? null : toDollars(micros));

function sums(budgets: readonly ApprovedBudget[]): Approval['after'] {
  const { daily, total } = budgetSum(budgets);
  // For the screen only: a sum above nine billion dollars is rounded.
  const inDollars = (micros: bigint | null) => (micros === null ? null : Number(micros) / MICROS);
  return { daily_budget: inDollars(daily), total_budget: inDollars(total) };
}

type RequestRow = Selectable<ApprovalRequestTable>;

/** A request with the names of its campaign and people. */
type ListedRow = RequestRow & {
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
async function listRequests(db: Db, companyId: string, decidedMax: number): Promise<ListedRow[]> {
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

async function findRequest(db: Db, companyId: string, uuid: string): Promise<ListedRow | undefined> {
  return listed(db, companyId).where('request.uuid', '=', uuid).executeTakeFirst();
}

/** Like {@link findRequest}, locked until the transaction ends. */
async function lockRequest(db: Db, companyId: string, uuid: string): Promise<ListedRow | undefined> {
  return listed(db, companyId).where('request.uuid', '=', uuid).forUpdate('request').executeTakeFirst();
}

/** Ends open requests of a company whose time is over. */
async function expireRequests(db: Db, companyId: string, now: Date): Promise<void> {
  await db
    .updateTable('approval_requests')
    .set({ state: 'expired' })
    .where('company_uuid', '=', companyId)
    .where('state', '=', 'open')
    .where('expires_at', '<=', now)
    .execute();
}

/** Number of open requests of a company, and whether one of them is for a campaign. */
async function openRequests(
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

async function insertRequest(
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

async function endRequest(
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
