import { toDollars } from '@bidwell/contract/lib/money';
import type { CostReport, CostReportQuery, CostRow } from '@bidwell/contract/measurement/partner-costs';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import {
  ROWS_MAX,
  bucketsIn,
  countForReport,
  namesOf,
  periodOf,
  rangeOf,
  reportTooLarge,
} from '../../reporting/public.ts';
import { appNames } from './cost-store.ts';

const KEYS = ['app', 'campaign', 'adset', 'creative', 'country', 'bundle'] as const;

/**
 * The costs of a company as measurement partners read them: by day of the company's time zone, app, campaign, ad set, creative, country and
 * publisher. Throws Invalid for more rows than a report has.
 */
export async function costReport(ctx: Context, actor: Actor, query: CostReportQuery): Promise<CostReport> {
  requirePermission(actor, 'report.read');
  const { companyId } = actor;
  const range = await rangeOf(ctx, actor, query);
  const counted = await countForReport(ctx, companyId, {
    period: periodOf(range),
    by: [bucketsIn(range, 'day') ?? [], ...KEYS],
    filters: {},
    limit: ROWS_MAX + 1,
  });
  if (counted.length > ROWS_MAX) throw reportTooLarge();
  const idsAt = (index: number) => new Set(counted.map(({ values }) => values[index]!));
  const names = await namesOf(
    ctx.db,
    companyId,
    new Map([
      ['campaign', idsAt(2)],
      ['adset', idsAt(3)],
      ['creative', idsAt(4)],
    ]),
  );
  const apps = await appNames(ctx.db, companyId);
  const rows = counted.map(({ values, ...counts }): CostRow => {
    const [date = '', app = '', campaign = '', adset = '', creative = '', country = '', bundle = ''] = values;
    return {
      date,
      app: apps.get(app)?.name ?? '',
      site_public_id: apps.get(app)?.storeId ?? '',
      os: apps.get(app)?.os ?? '',
      campaign_id: campaign,
      campaign_name: names.get('campaign')?.get(campaign) ?? '',
      sub_campaign_id: adset,
      sub_campaign_name: names.get('adset')?.get(adset) ?? '',
      creative_id: creative,
      creative_name: names.get('creative')?.get(creative) ?? '',
      country,
      publisher_site_id: bundle,
      impressions: counts.impressions,
      clicks: counts.clicks,
      installs: counts.installs,
      cost: toDollars(counts.spendMicros),
      currency: 'USD',
    };
  });
  rows.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : b.cost - a.cost));
  const micros = counted.reduce((total, { spendMicros }) => total + spendMicros, 0);
  return { time_zone: range.timeZone, total_cost: toDollars(micros), rows };
}
