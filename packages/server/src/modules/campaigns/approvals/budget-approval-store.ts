import type { Micros } from '@bidwell/contract/lib/money';
import type { ApprovedBudget } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** Above which budgets a second person has to approve, in micros; null for no limit. */
export interface LimitsRow {
  approval_daily_micros: Micros | null;
  approval_total_micros: Micros | null;
}

export async function findLimits(db: Db, companyId: string): Promise<LimitsRow> {
  return db
    .selectFrom('companies')
    .select(['approval_daily_micros', 'approval_total_micros'])
    .where('uuid', '=', companyId)
    .executeTakeFirstOrThrow();
}

/** Like {@link findLimits} with the name of the company, locked until the transaction ends. */
export async function lockLimits(db: Db, companyId: string): Promise<LimitsRow & { name: string }> {
  return db
    .selectFrom('companies')
    .select(['name', 'approval_daily_micros', 'approval_total_micros'])
    .where('uuid', '=', companyId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

export async function updateLimits(db: Db, companyId: string, limits: LimitsRow): Promise<void> {
  await db.updateTable('companies').set(limits).where('uuid', '=', companyId).execute();
}

/** An ad set with its budgets in micros; null is unlimited. */
export interface BudgetRow {
  uuid: string;
  name: string;
  status: 'Active' | 'Paused';
  archived_at: Date | null;
  daily_budget_micros: Micros | null;
  all_budget_micros: Micros | null;
}

/** The ad sets of a campaign, by their ids. */
export async function budgetsOfCampaign(
  db: Db,
  companyId: string,
  campaignUuid: string,
): Promise<BudgetRow[]> {
  return db
    .selectFrom('adsets')
    .select(['uuid', 'name', 'status', 'archived_at', 'daily_budget_micros', 'all_budget_micros'])
    .where('company_uuid', '=', companyId)
    .where('campaign_uuid', '=', campaignUuid)
    .orderBy('uuid')
    .execute();
}

/** The budgets of a campaign that a second person approved last; none where nobody did. */
export async function approvedBudgets(
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
export async function rolesOfPeople(db: Db, companyId: string) {
  return db
    .selectFrom('memberships')
    .select(['user_uuid', 'role'])
    .where('company_uuid', '=', companyId)
    .execute();
}
