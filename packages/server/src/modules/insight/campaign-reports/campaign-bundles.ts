import {
  BUNDLES_MAX,
  type CampaignBundle,
  type CampaignBundles,
  type PublisherApp,
} from '@bidwell/contract/campaign-reports/bundles';
import type { DeliveryQuery } from '@bidwell/contract/insight/delivery-query';
import { type Counts, metricsOf } from '@bidwell/contract/reports/metrics';
import { toDollars } from '@bidwell/contract/lib/money';
import { type Rate, rateOf } from '@bidwell/contract/lib/rate';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import type { PublisherPage, PublisherPages } from '../../catalog/public.ts';
import { campaignOf } from '../../campaigns/public.ts';
import {
  type OfferedApp,
  ROWS_MAX,
  countForReport,
  isZero,
  offeredApps,
  periodOf,
  rangeOf,
  remainderOf,
  sumOf,
  withinReportLimits,
  zeroCounts,
} from '../../reporting/public.ts';

/** Bundles whose pages in the stores are fetched, those with the highest spend. */
const PAGES_MAX = 50;

/**
 * On which publishers' apps a campaign spent in a range of days. Throws NotFound; Invalid for dates that are not
 * supported.
 */
export async function campaignBundles(
  ctx: Context,
  actor: Actor,
  pages: PublisherPages,
  { uuid, ...query }: DeliveryQuery & { uuid: string },
): Promise<CampaignBundles> {
  requirePermission(actor, 'report.read');
  const { companyId } = actor;
  await campaignOf(ctx, actor, uuid);
  const period = periodOf(await rangeOf(ctx, actor, query));
  const filters = { campaign: [uuid] };
  const [listed, [total = zeroCounts]] = await Promise.all([
    countForReport(ctx, companyId, { period, by: ['bundle'], filters, limit: BUNDLES_MAX }),
    countForReport(ctx, companyId, { period, by: [], filters }),
  ]);
  const bundles = listed.map(({ values }) => values[0]!);
  const named = bundles.filter((bundle) => bundle !== '');
  const [shares, offered] = await Promise.all([
    named.length === 0
      ? []
      : countForReport(ctx, companyId, {
          period,
          by: ['bundle', 'adset'],
          filters: { ...filters, bundle: named },
          limit: ROWS_MAX,
        }),
    withinReportLimits(ctx, (settings) => offeredApps(ctx.clickhouse, named, settings)),
  ]);
  const apps = groupBy(offered, ({ bundle }) => bundle);
  const known = await pages.find(
    named.slice(0, PAGES_MAX).map((bundle) => ({
      bundle,
      storeLink: linkOf(apps.get(bundle)),
      sellers: (apps.get(bundle) ?? []).flatMap((app) => sellerOf(app) ?? []),
    })),
  );
  const spends = groupBy(shares, ({ values }) => values[0]!);
  const rows = listed.map((counts, index): CampaignBundle => {
    const bundle = bundles[index]!;
    return {
      bundle,
      ...publisherApp(apps.get(bundle) ?? [], known.get(bundle)),
      ...metricsOf(counts),
      share: total.spendMicros > 0 ? (counts.spendMicros / total.spendMicros) * 100 : null,
      ipm_rate: ipmOf(counts),
      adsets: (spends.get(bundle) ?? []).map(({ values, spendMicros }) => ({
        uuid: values[1]!,
        spends: toDollars(spendMicros),
      })),
    };
  });
  const rest = remainderOf(total, sumOf(listed));
  return { rows, total: metricsOf(total), other: isZero(rest) ? null : metricsOf(rest) };
}

/** Installs per thousand impressions. */
function ipmOf({ installs, impressions }: Counts): Rate | null {
  return rateOf(installs, impressions, 1000);
}

function publisherApp(offered: readonly OfferedApp[], page: PublisherPage | undefined): PublisherApp {
  const first = (field: 'name' | 'publisher') => offered.find((app) => app[field] !== '')?.[field] ?? null;
  return {
    name: page?.name ?? first('name'),
    publisher: first('publisher'),
    store_link: linkOf(offered) || null,
    icon_link: page?.iconLink ?? null,
    supply_chains: offered.map((app) => {
      const seller = sellerOf(app);
      return {
        exchange: app.exchange,
        chain: app.chain,
        seller,
        app_ads: (seller && page?.appAdsOf(seller)) ?? null,
      };
    }),
  };
}

function sellerOf({ sellerDomain, sellerId }: OfferedApp): { domain: string; id: string } | null {
  return sellerDomain === '' ? null : { domain: sellerDomain, id: sellerId };
}

function linkOf(offered: readonly OfferedApp[] = []): string {
  return offered.find(({ storeLink }) => storeLink !== '')?.storeLink ?? '';
}
