import type { Micros } from '@bidwell/contract/lib/money';
import type { ClickHouse, QuerySettings } from '../../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import type { Period } from '../../reporting/public.ts';

/** Charged impressions of an exchange and a country. */
export interface PaidImpressions {
  exchange: string;
  country: string;
  impressions: number;
  /** Sums of the values and bids per thousand, without the margin. */
  valueCpmMicros: Micros;
  bidCpmMicros: Micros;
  /** What was charged, and the margin in it. */
  spendMicros: Micros;
  marginMicros: Micros;
}

/** What a company's campaign bid and paid in a period, by exchange and country, without test traffic. */
export async function paidImpressions(
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
