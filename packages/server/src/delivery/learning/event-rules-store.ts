import { type PayerRule, REVENUE_SOURCES, type RevenueSource } from '@bidwell/contract/apps/event-settings';
import type { Db } from '../../platform/postgres/transaction.ts';

/** An event that makes a payer with any amount, or never does. */
export interface PayerEvent {
  appId: string;
  name: string;
  payer: Exclude<PayerRule, 'purchase'>;
}

/** How the in-app events of a company count, where that is not as by default. */
export interface EventRules {
  /** Apps whose purchases, or whose ad revenue, are no revenue. */
  withoutPurchases: readonly string[];
  withoutAdRevenue: readonly string[];
  payers: readonly PayerEvent[];
}

/** The rules that a company's apps set. */
export async function eventRulesOf(db: Db, companyId: string): Promise<EventRules> {
  const sources = await db
    .selectFrom('app_revenue_sources')
    .select(['app_uuid', 'purchases', 'ad_revenue'])
    .where('company_uuid', '=', companyId)
    .orderBy('app_uuid')
    .execute();
  const payers = await db
    .selectFrom('app_event_names')
    .select(['app_uuid as appId', 'name', 'payer'])
    .where('company_uuid', '=', companyId)
    .where('payer', '<>', 'purchase')
    .orderBy('app_uuid')
    .orderBy('name')
    .execute();
  return {
    withoutPurchases: sources.filter(({ purchases }) => !purchases).map(({ app_uuid: appId }) => appId),
    withoutAdRevenue: sources.filter(({ ad_revenue: ads }) => !ads).map(({ app_uuid: appId }) => appId),
    payers: payers as PayerEvent[],
  };
}

/** The revenue sources of each app by these rules. Pure. */
export function revenueSourcesBy(rules: EventRules): (appId: string) => readonly RevenueSource[] {
  const without = {
    purchases: new Set(rules.withoutPurchases),
    ad_revenue: new Set(rules.withoutAdRevenue),
  };
  return (appId) => REVENUE_SOURCES.filter((source) => !without[source].has(appId));
}
