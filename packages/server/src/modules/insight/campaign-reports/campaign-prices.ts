import { type CampaignPrices, PRICE_ROWS_MAX, type Prices } from '@bidwell/contract/campaign-reports/prices';
import type { DeliveryQuery } from '@bidwell/contract/insight/delivery-query';
import { type Micros, toDollars } from '@bidwell/contract/lib/money';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { campaignOf } from '../../campaigns/public.ts';
import { namesOf, periodOf, rangeOf, withinReportLimits, type Period } from '../../reporting/public.ts';
import type { ClickHouse, QuerySettings } from '../../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';

/** Dollars of one impression at a sum of prices per thousand. */
const PER_THOUSAND = 1000;

/**
 * The amounts that a campaign bid, paid and saved in a range of days, by exchange and country. All amounts are the
 * advertiser's, the margin included. Throws NotFound; Invalid for dates that are not supported, and for a report that
 * exceeds its limits.
 */
export async function campaignPrices(
  ctx: Context,
  actor: Actor,
  { uuid, ...query }: DeliveryQuery & { uuid: string },
): Promise<CampaignPrices> {
  requirePermission(actor, 'report.read');
  const { companyId } = actor;
  await campaignOf(ctx, actor, uuid);
  const period = periodOf(await rangeOf(ctx, actor, query));
  const paid = await withinReportLimits(ctx, (settings) =>
    paidImpressions(ctx.clickhouse, companyId, uuid, period, settings),
  );
  const listed = paid.slice(0, PRICE_ROWS_MAX);
  const slugs = new Set(listed.map(({ exchange }) => exchange));
  const names = (await namesOf(ctx.db, companyId, new Map([['exchange', slugs]]))).get('exchange');
  const rest = paid.slice(PRICE_ROWS_MAX);
  return {
    rows: listed.map((row) => ({
      exchange: row.exchange,
      exchange_name: names?.get(row.exchange) ?? row.exchange,
      country: row.country,
      ...pricesOf([row]),
    })),
    total: pricesOf(paid),
    other: rest.length > 0 ? pricesOf(rest) : null,
  };
}

/** The sum of rows in dollars. Pure. */
function pricesOf(rows: readonly PaidImpressions[]): Prices {
  let impressions = 0;
  let valueMicros: Micros = 0;
  let bidMicros: Micros = 0;
  let paidMicros: Micros = 0;
  for (const row of rows) {
    const charged = chargedOf(row);
    impressions += row.impressions;
    valueMicros += charged.valueMicros;
    bidMicros += charged.bidMicros;
    paidMicros += row.spendMicros;
  }
  return {
    impressions,
    value: toDollars(valueMicros),
    bid: toDollars(bidMicros),
    paid: toDollars(paidMicros),
    saved_by_shading: toDollars(valueMicros - bidMicros),
    saved_by_auction: toDollars(bidMicros - paidMicros),
    bid_cpm: impressions > 0 ? toDollars((bidMicros / impressions) * PER_THOUSAND) : null,
    paid_cpm: impressions > 0 ? toDollars((paidMicros / impressions) * PER_THOUSAND) : null,
  };
}

/**
 * Value and bid as charges to the advertiser: with the same margin as the paid amount. Paid impressions are rounded to
 * whole micros, so a sum of bids may be some micros below the paid amount; it is then set to the paid amount.
 */
function chargedOf({ valueCpmMicros, bidCpmMicros, spendMicros, marginMicros }: PaidImpressions): {
  valueMicros: Micros;
  bidMicros: Micros;
} {
  const media = spendMicros - marginMicros;
  const factor = media > 0 ? spendMicros / media : 1;
  const charged = (cpmMicros: Micros): Micros => Math.round((cpmMicros / PER_THOUSAND) * factor);
  const bidMicros = Math.max(spendMicros, charged(bidCpmMicros));
  return { bidMicros, valueMicros: Math.max(bidMicros, charged(valueCpmMicros)) };
}

/** Charged impressions of an exchange and a country. */
interface PaidImpressions {
  exchange: string;
  country: string;
  impressions: number;
  /** Sums of the values and bids per thousand, without the margin. */
  valueCpmMicros: Micros;
  bidCpmMicros: Micros;
  /** The charge, and the margin in it. */
  spendMicros: Micros;
  marginMicros: Micros;
}

/** The amounts that a company's campaign bid and paid in a period, by exchange and country, without test traffic. */
async function paidImpressions(
  clickhouse: ClickHouse,
  companyId: string,
  campaignId: string,
  { fromMs, beforeMs }: Period,
  settings: QuerySettings,
): Promise<readonly PaidImpressions[]> {
  if (fromMs >= beforeMs) return [];
  // Two events may charge one bid: an impression, and a billing notice with a higher price.
  return clickhouse.query<PaidImpressions>(
    `select exchange, country, count() as impressions, sum(value) as valueCpmMicros, sum(bid) as bidCpmMicros,
       sum(spend) as spendMicros, sum(margin) as marginMicros
     from (
       select any(e.exchange) as exchange, any(e.country) as country, max(bid_cpm_micros) as bid,
         max(greatest(bid_cpm_micros, value_cpm_micros)) as value, sum(spend_micros) as spend, sum(margin_micros) as margin
       from events as e
       where company_id = {company:UUID} and campaign_id = {campaign:UUID} and test = 0 and spend_micros > 0
         and time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
       group by bid_id
     )
     group by exchange, country order by spendMicros desc, exchange, country`,
    {
      company: companyId,
      campaign: campaignId,
      from: clickhouseTime(fromMs),
      before: clickhouseTime(beforeMs),
    },
    'JSON',
    settings,
  );
}
