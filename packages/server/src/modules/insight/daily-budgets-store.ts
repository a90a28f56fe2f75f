import type { AlertRuleScope } from '@bidwell/contract/alerts/rules';
import { toDollars } from '@bidwell/contract/lib/money';
import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';

/** The daily budgets of a company's active ad sets in active campaigns. */
export interface DailyBudgets {
  /** Their sum; those without one count as 0. */
  dollars: number;
  /** Whether each has one, so that a day cannot spend more. */
  isCapped: boolean;
}

/** {@link DailyBudgets} of a company, or of the ad sets of one of its apps, campaigns or ad sets. */
export async function dailyBudgetsOf(
  db: Db,
  companyId: string,
  of: { scope: AlertRuleScope; uuid: string | null } = { scope: 'company', uuid: null },
): Promise<DailyBudgets> {
  const column = {
    app: 'campaigns.app_uuid',
    campaign: 'campaigns.uuid',
    adset: 'adsets.uuid',
    company: null,
  } as const;
  const chosen = column[of.scope];
  const { micros, adsets, budgets } = await db
    .selectFrom('adsets')
    .innerJoin('campaigns', 'campaigns.uuid', 'adsets.campaign_uuid')
    .select((select) => [
      select.fn.coalesce(select.fn.sum<string>('adsets.daily_budget_micros'), sql<string>`0`).as('micros'),
      select.fn.countAll<string>().as('adsets'),
      sql<string>`count(nullif(adsets.daily_budget_micros, 0))`.as('budgets'),
    ])
    .where('adsets.company_uuid', '=', companyId)
    .where('adsets.status', '=', 'Active')
    .where('campaigns.status', '=', 'Active')
    .$if(chosen !== null, (query) => query.where(chosen!, '=', of.uuid!))
    .executeTakeFirstOrThrow();
  return { dollars: toDollars(Number(micros)), isCapped: Number(adsets) > 0 && adsets === budgets };
}
