import {
  type BudgetSum,
  type Budgets,
  exceeded,
  sumOf,
  dailyOf,
  isAbove,
} from '@bidwell/contract/approvals/budgets';
import type { ApprovalLimits } from '@bidwell/contract/approvals/schema';
import { companyRoleHas } from '@bidwell/contract/accounts/permission';
import { MICROS, toDollars, toMicros, type Micros } from '@bidwell/contract/lib/money';
import { numberText } from '@bidwell/contract/lib/number-text';
import { approvalApiMessages } from '@bidwell/contract/approvals/api-messages';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Conflict } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { lockOwned } from '../../../platform/postgres/stores/owned-store.ts';
import { type Db, type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { notify } from '../../messaging/public.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import type { ApprovedBudget } from '../../../platform/postgres/schema.ts';

/** The limits, and how many people of the company may ask and approve. */
type PresentedLimits = ApprovalLimits & { people: number };

/** Above which budgets of a campaign a second person has to approve, in dollars. */
export async function getApprovalLimits(ctx: Context, actor: Actor): Promise<PresentedLimits> {
  requirePermission(actor, 'campaign.read');
  return presented(ctx.db, actor.companyId, await findLimits(ctx.db, actor.companyId));
}

/**
 * Sets the budgets above which a second person has to approve; the company is notified. Running campaigns continue, and
 * raising their budgets needs an approval. Throws Conflict if the company has no user who could approve the request of
 * another.
 */
export async function setApprovalLimits(
  ctx: Context,
  actor: Actor,
  { daily_budget_above: daily, total_budget_above: total }: ApprovalLimits,
): Promise<PresentedLimits> {
  requirePermission(actor, 'approval.rule');
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    const { name, ...before } = await lockLimits(tx.db, companyId);
    await requireExpected(async () => presented(tx.db, companyId, before));
    const after = {
      approval_daily_micros: daily === null ? null : toMicros(daily),
      approval_total_micros: total === null ? null : toMicros(total),
    };
    const isOn = daily !== null || total !== null;
    if (isOn && (await approverCount(tx.db, companyId)) < 2)
      throw new Conflict(approvalApiMessages.approvalPeople);
    await updateLimits(tx.db, companyId, after);
    const fields = { before: inDollars(before), after: inDollars(after) };
    await recordChange(ctx, tx, actor, {
      entity: 'company',
      uuid: companyId,
      name,
      action: 'update',
      ...fields,
    });
    const isChanged =
      before.approval_daily_micros !== after.approval_daily_micros ||
      before.approval_total_micros !== after.approval_total_micros;
    if (isChanged)
      await notify(ctx, tx, companyId, {
        kind: 'approval',
        ...notificationMessages.approvalLimits(isOn),
      });
    return presented(tx.db, companyId, after);
  });
}

async function presented(db: Db, companyId: string, limits: LimitsRow): Promise<PresentedLimits> {
  return { ...inDollars(limits), people: await approverCount(db, companyId) };
}

const inDollars = (limits: LimitsRow): ApprovalLimits => ({
  daily_budget_above: limits.approval_daily_micros === null ? null : toDollars(limits.approval_daily_micros),
  total_budget_above: limits.approval_total_micros === null ? null : toDollars(limits.approval_total_micros),
});

async function approverCount(db: Db, companyId: string): Promise<number> {
  return (await approverIds(db, companyId)).length;
}

/** The ids of the people of a company who may ask and approve. */
export async function approverIds(db: Db, companyId: string): Promise<string[]> {
  const people = await rolesOfPeople(db, companyId);
  return people.flatMap(({ user_uuid, role }) => (companyRoleHas(role, 'approval.write') ? [user_uuid] : []));
}

/** Whether a person belongs to the company with a role that may ask and approve. */
export async function mayAskApproval(db: Db, companyId: string, userId: string): Promise<boolean> {
  return (await approverIds(db, companyId)).includes(userId);
}

/** Whether an ad set may spend more after a change than before, by its status and budgets in dollars. */
export function raisesBudget(before: PresentedBudget, after: PresentedBudget): boolean {
  return exceeds(spendable(inMicros(after)), spendable(inMicros(before)));
}

/** The budget fields of an ad set, in dollars. */
interface PresentedBudget {
  status: string;
  archived_at: string | null;
  daily_budget_const: number | null;
  all_budget_const: number | null;
}

const inMicros = ({
  status,
  archived_at,
  daily_budget_const: daily,
  all_budget_const: total,
}: PresentedBudget) => ({
  status,
  archived_at,
  daily_budget_micros: daily === null ? null : toMicros(daily),
  all_budget_micros: total === null ? null : toMicros(total),
});

/** The budgets of ad sets together, in micros; null is unlimited. */
export function budgetSum(adsets: readonly Budgets[]): BudgetSum {
  return sumOf(adsets);
}

/** The ad sets of a campaign with their budgets in micros, by their ids. */
export async function campaignBudgets(db: Db, companyId: string, campaignUuid: string): Promise<BudgetRow[]> {
  return budgetsOfCampaign(db, companyId, campaignUuid);
}

/**
 * Why the ad sets of a campaign may not run with their budgets, as a sentence; null where they may: budgets are not above the
 * limits of the company, or a second person approved them. `changed` are the ad sets as they would be.
 */
export async function missingApproval(
  db: Db,
  companyId: string,
  campaignUuid: string,
  changed?: readonly BudgetRow[],
): Promise<string | null> {
  const limits = await findLimits(db, companyId);
  if (limits.approval_daily_micros === null && limits.approval_total_micros === null) return null;
  const adsets = changed ?? (await budgetsOfCampaign(db, companyId, campaignUuid));
  const running = adsets.filter((adset) => adset.status === 'Active' && adset.archived_at === null);
  const above = exceeded(sumOf(running.map(spendable)), limits);
  if (above === null || isCovered(running, await approvedBudgets(db, companyId, campaignUuid))) return null;
  return approvalApiMessages.approvalNeeded(above.of, dollarText(above.micros));
}

/**
 * {@link missingApproval} of a campaign whose budgets the caller has raised in the transaction; null unless it runs. Locks the
 * campaign, so that the later of two concurrent raises sees the other, and no start happens meanwhile.
 */
export async function missingApprovalToRaise(
  tx: Tx,
  companyId: string,
  campaignUuid: string,
): Promise<string | null> {
  const limits = await findLimits(tx.db, companyId);
  if (limits.approval_daily_micros === null && limits.approval_total_micros === null) return null;
  const campaign = await lockOwned(tx.db, 'campaigns', companyId, campaignUuid);
  if (campaign?.status !== 'Active') return null;
  return missingApproval(tx.db, companyId, campaignUuid);
}

/** Dollars with cents, and with more decimals only where there are any. */
function dollarText(micros: number): string {
  const decimals = micros % (MICROS / 100) === 0 ? 2 : 6;
  return `$${numberText(toDollars(micros), decimals)}`;
}

/** The budgets of an ad set that does not run. */
const NOTHING: Budgets = { daily_budget_micros: 0, all_budget_micros: 0 };

/** Whether each of the ad sets has no more than the budgets that were approved for it. */
function isCovered(
  running: readonly (Budgets & { uuid: string })[],
  approved: readonly ApprovedBudget[],
): boolean {
  const byUuid = new Map(approved.map((one) => [one.uuid, one]));
  return running.every((adset) => {
    const most = byUuid.get(adset.uuid);
    return most !== undefined && !exceeds(adset, most);
  });
}

/** The budgets that an ad set may spend: zero unless it is Active and not archived. */
function spendable(adset: {
  status: string;
  archived_at: Date | string | null;
  daily_budget_micros: Micros | null;
  all_budget_micros: Micros | null;
}): Budgets {
  return adset.status === 'Active' && adset.archived_at === null ? adset : NOTHING;
}

/** Whether budgets are above others, on a day or in total. */
function exceeds(budgets: Budgets, others: Budgets): boolean {
  return (
    isAbove(dailyOf(budgets), dailyOf(others)) ||
    isAbove(budgets.all_budget_micros, others.all_budget_micros) ||
    isAbove(budgets.daily_budget_micros, others.daily_budget_micros)
  );
}

/** Above which budgets a second person has to approve, in micros; null for no limit. */
interface LimitsRow {
  approval_daily_micros: Micros | null;
  approval_total_micros: Micros | null;
}

async function findLimits(db: Db, companyId: string): Promise<LimitsRow> {
  return db
    .selectFrom('companies')
    .select(['approval_daily_micros', 'approval_total_micros'])
    .where('uuid', '=', companyId)
    .executeTakeFirstOrThrow();
}

/** Like {@link findLimits} with the name of the company, locked until the transaction ends. */
async function lockLimits(db: Db, companyId: string): Promise<LimitsRow & { name: string }> {
  return db
    .selectFrom('companies')
    .select(['name', 'approval_daily_micros', 'approval_total_micros'])
    .where('uuid', '=', companyId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

async function updateLimits(db: Db, companyId: string, limits: LimitsRow): Promise<void> {
  await db.updateTable('companies').set(limits).where('uuid', '=', companyId).execute();
}

/** An ad set with its budgets in micros; null is unlimited. */
interface BudgetRow {
  uuid: string;
  name: string;
  status: 'Active' | 'Paused';
  archived_at: Date | null;
  daily_budget_micros: Micros | null;
  all_budget_micros: Micros | null;
}

/** The ad sets of a campaign, by their ids. */
async function budgetsOfCampaign(db: Db, companyId: string, campaignUuid: string): Promise<BudgetRow[]> {
  return db
    .selectFrom('adsets')
    .select(['uuid', 'name', 'status', 'archived_at', 'daily_budget_micros', 'all_budget_micros'])
    .where('company_uuid', '=', companyId)
    .where('campaign_uuid', '=', campaignUuid)
    .orderBy('uuid')
    .execute();
}

/** The budgets of a campaign that a second person approved last; empty if none were approved. */
async function approvedBudgets(
  db: Db,
  companyId: string,
  campaignUuid: string,
): Promise<readonly ApprovedBudget[]> {
  const row = await db
    .selectFrom('approval_requests')
    .select('budgets')
    .where('company_uuid', '=', companyId)
    .where('campaign_uuid', '=', campaignUuid)
    .where('state', '=', 'approved')
    .orderBy('decided_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.budgets ?? [];
}

/** The roles of the people of a company. */
async function rolesOfPeople(db: Db, companyId: string) {
  return db
    .selectFrom('memberships')
    .select(['user_uuid', 'role'])
    .where('company_uuid', '=', companyId)
    .execute();
}
