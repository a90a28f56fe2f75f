import type { AdsetChange, ApprovalInput } from '@bidwell/contract/approvals/schema';
import { toMicros } from '@bidwell/contract/lib/money';
import { apiMessages } from '@bidwell/contract/text/messages';
import { createHash } from 'node:crypto';
import { Conflict, Invalid, NotFound } from '../../../platform/errors.ts';
import type { ApprovedBudget, RequestedChange } from '../../../platform/postgres/schema.ts';
import { lockOwned } from '../../../platform/postgres/stores/owned-store.ts';
import type { Tx } from '../../../platform/postgres/transaction.ts';
import { campaignBudgets, missingApproval } from './budget-approval.ts';

type Budget = Awaited<ReturnType<typeof campaignBudgets>>[number];

/** What a change makes of a campaign. */
export interface Outcome {
  campaignName: string;
  /** The budgets of the ad sets that run now, and of those that run then. */
  before: ApprovedBudget[];
  budgets: ApprovedBudget[];
  /** Of the change and the budgets that follow. */
  hash: string;
}

/** The change of a request with amounts in micros. */
export function changeOf({ start, adsets }: Pick<ApprovalInput, 'start' | 'adsets'>): RequestedChange {
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
 * What a change makes of a campaign, which is locked until the transaction ends. Throws NotFound; Invalid for ad sets that the
 * campaign does not have, or that are archived; Conflict where the change needs no approval, as of a campaign that does not run.
 */
export async function outcomeOf(
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
    throw new Conflict(apiMessages.approvalNotNeeded);
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

/** Of what is applied, by ids and amounts: names may change meanwhile. */
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
