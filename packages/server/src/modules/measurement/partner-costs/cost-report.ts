import { toDollars } from '@bidwell/contract/lib/money';
import type { CostReport, CostReportQuery, CostRow } from '@bidwell/contract/measurement/partner-costs';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import {
  type CountsRow,
  ROWS_MAX,
  bucketsIn,
  countForReport,
  namesOf,
  periodOf,
  rangeOf,
  reportTooLarge,
} from '../../reporting/public.ts';
import { appNames } from './cost-store.ts';

const PARTS = ['app', 'campaign', 'adset', 'creative', 'country'] as const;

/**
 * The costs of a company as measurement partners read them: by day of the company's time zone, app, campaign, ad set, creative, country and
 * publisher. Of more rows than a report has, those with the most spend name their publisher, and the others are summed without it. Throws
 * Invalid if there are too many without publishers too.
 */
export async function costReport(ctx: Context, actor: Actor, query: CostReportQuery): Promise<CostReport> {
  requirePermission(actor, 'report.read');
  const { companyId } = actor;
  const range = await rangeOf(ctx, actor, query);
  const counted = await countsOf(ctx, companyId, range);
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

type Costs = Pick<CountsRow, 'values' | (typeof FIGURES)[number]>;
const FIGURES = ['impressions', 'clicks', 'installs', 'spendMicros'] as const;

async function countsOf(
  ctx: Context,
  companyId: string,
  range: Awaited<ReturnType<typeof rangeOf>>,
): Promise<Costs[]> {
  const parts = [bucketsIn(range, 'day') ?? [], ...PARTS];
  const query = { period: periodOf(range), filters: {}, limit: ROWS_MAX + 1 };
  const byPublisher = await countForReport(ctx, companyId, { ...query, by: [...parts, 'bundle'] });
  if (byPublisher.length <= ROWS_MAX) return byPublisher;
  const wholes = await countForReport(ctx, companyId, { ...query, by: parts });
  if (wholes.length > ROWS_MAX) throw reportTooLarge();
  const named = byPublisher.slice(0, ROWS_MAX - wholes.length);
  const rests = new Map(
    wholes.map((whole) => [whole.values.join(), { ...whole, values: [...whole.values, ''] }]),
  );
  for (const row of named) {
    const rest = rests.get(row.values.slice(0, -1).join());
    if (rest) for (const figure of FIGURES) rest[figure] -= row[figure];
  }
  return [...named, ...[...rests.values()].filter((rest) => FIGURES.some((figure) => rest[figure] !== 0))];
}
