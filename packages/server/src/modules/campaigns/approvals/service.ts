import {
  APPROVAL_DAYS,
  type Approval,
  type ApprovalInput,
  type ApprovalState,
  DECIDED_APPROVALS_MAX,
  OPEN_APPROVALS_MAX,
} from '@bidwell/contract/approvals/schema';
import type { NotificationMessage } from '@bidwell/contract/notifications/severity';
import { toDollars } from '@bidwell/contract/lib/money';
import { apiMessages, messages, notificationMessages } from '@bidwell/contract/text/messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Conflict, Forbidden, NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { changeAdset, lockedAdset } from '../adsets/service.ts';
import { approverIds, mayAskApproval, missingApproval } from './budget-approval.ts';
import { startWithin } from '../start.ts';
import { availableMicros } from '../../money/public.ts';
import { notify } from '../../messaging/public.ts';
import { changeOf, outcomeOf } from './change.ts';
import { presentRequest } from './presenter.ts';
import {
  type ListedRow,
  endRequest,
  expireRequests,
  findRequest,
  insertRequest,
  listRequests,
  lockRequest,
  openRequests,
} from './store.ts';

const DAY_MS = 86_400_000;

/** The open requests of the actor's company, and the latest of those that are not open any more. */
export async function listApprovals(ctx: Context, actor: Actor): Promise<Approval[]> {
  requirePermission(actor, 'campaign.read');
  const now = ctx.now();
  const rows = await listRequests(ctx.db, actor.companyId, DECIDED_APPROVALS_MAX);
  return rows.map((row) => presentRequest(row, now));
}

/**
 * Asks a second person to start a campaign, or to change budgets of one that runs; whoever may approve it is notified. Throws NotFound; Invalid
 * for ad sets that the campaign does not have; Conflict where no approval is needed, for a campaign with an open request, and at the
 * company's limit; Forbidden for a caller who is no person.
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
    if (hasOwn) throw new Conflict(apiMessages.approvalOpen);
    if (count >= OPEN_APPROVALS_MAX) throw new Conflict(apiMessages.approvalsMax(OPEN_APPROVALS_MAX));
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
 * Approves a request of somebody else, and makes the change in the same transaction: what was asked for and seen (`hash`), or
 * nothing. Throws NotFound; Conflict for the caller's own request, one that is not open, and one of which the campaign was changed
 * meanwhile, which is outdated from then on; and what the change itself throws. Forbidden for a caller who is no person.
 */
export async function approve(
  ctx: Context,
  actor: Actor,
  uuid: string,
  { hash }: { hash: string },
): Promise<Approval> {
  requirePermission(actor, 'approval.write');
  const userId = personOf(actor);
  const { companyId } = actor;
  const available = await availableMicros(ctx, companyId);
  const approved = await transact(ctx.db, async (tx) => {
    const row = await openOfOther(ctx, tx, actor, uuid);
    if (row.hash !== hash) throw new Conflict(apiMessages.approvalOutdated);
    if (row.requested_by === null || !(await mayAskApproval(tx.db, companyId, row.requested_by)))
      throw new Conflict(apiMessages.approvalPersonGone);
    if (!(await isCurrent(tx, row))) {
      await end(ctx, tx, row, { state: 'outdated', userId: null });
      return null;
    }
    // Before the change, which is checked against what is approved.
    const after = await end(ctx, tx, row, { state: 'approved', userId });
    await makeChange(
      ctx,
      tx,
      { ...actor, name: apiMessages.approvedBy(nameOf(row), deciderOf(after)) },
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
  if (approved === null) throw new Conflict(apiMessages.approvalOutdated);
  return approved;
}

/** Rejects a request of somebody else with a reason; whoever asked is notified. Throws as {@link approve} does. */
export async function reject(
  ctx: Context,
  actor: Actor,
  uuid: string,
  { reason }: { reason: string },
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

/** Withdraws a request of one's own. Throws NotFound; Conflict for one of somebody else, and one that is not open. */
export async function withdraw(ctx: Context, actor: Actor, uuid: string): Promise<Approval> {
  requirePermission(actor, 'approval.write');
  const userId = personOf(actor);
  return transact(ctx.db, async (tx) => {
    const row = await openRequest(ctx, tx, actor, uuid);
    if (row.requested_by !== userId) throw new Conflict(apiMessages.approvalOfOther);
    return presentRequest(await end(ctx, tx, row, { state: 'withdrawn', userId }), ctx.now());
  });
}

/** The id of the person who makes a call. Throws Forbidden: what has no person behind it is no second person. */
function personOf({ role, userId }: Actor): string {
  if (role !== 'person' || userId === null) throw new Forbidden(messages.approvalPersons);
  return userId;
}

/** Locks an open request. Throws NotFound, and Conflict where it is not open any more. */
async function openRequest(ctx: Context, tx: Tx, { companyId }: Actor, uuid: string): Promise<ListedRow> {
  const row = await lockRequest(tx.db, companyId, uuid);
  if (!row) throw new NotFound('Request');
  if (row.state !== 'open' || row.expires_at <= ctx.now()) throw new Conflict(apiMessages.approvalClosed);
  return row;
}

async function openOfOther(ctx: Context, tx: Tx, actor: Actor, uuid: string): Promise<ListedRow> {
  const row = await openRequest(ctx, tx, actor, uuid);
  if (row.requested_by === actor.userId) throw new Conflict(apiMessages.approvalOwn);
  return row;
}

/** Whether the change still makes of the campaign what was asked for. Locks the campaign. */
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
    // One after the other they may be above what is approved for all of them.
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

const nameOf = ({ requested_by_name }: ListedRow) => requested_by_name ?? apiMessages.formerPerson;
const deciderOf = ({ decided_by_name }: ListedRow) => decided_by_name ?? apiMessages.formerPerson;

async function notifyAll(
  ctx: Context,
  tx: Tx,
  { company_uuid: companyId, campaign_uuid: uuid }: ListedRow,
  userIds: readonly string[],
  message: NotificationMessage,
): Promise<void> {
  const notification = { kind: 'approval', ...message, entity: { type: 'campaign' as const, uuid } };
  for (const userId of userIds) await notify(ctx, tx, companyId, { ...notification, userId });
}

/** Notifies whoever made a request what became of it, while they may make it. */
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
