import type { Micros } from '@bidwell/contract/money';
import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import type { CountedExit } from '../../delivery/funnel/counts.ts';

/** A span of time in Unix ms. */
interface Period {
  fromMs: number;
  beforeMs: number;
}

/** Requests of one exit in a period. */
export interface ExitRow {
  adset: string;
  exit: CountedExit;
  outbid_by: string;
  requests: number;
  samples: number;
  variance: number;
}

/** The funnel of a company's ad sets in a period, by whole hours. */
export async function funnelOf(
  clickhouse: ClickHouse,
  companyId: string,
  adsets: readonly string[],
  { fromMs, beforeMs }: Period,
  settings: QuerySettings,
): Promise<readonly ExitRow[]> {
  if (adsets.length === 0) return [];
  return clickhouse.query<ExitRow>(
    `select adset_id as adset, exit, outbid_by,
       sum(requests) as requests, sum(samples) as samples, sum(variance) as variance
     from funnel
     where company_id = {company:UUID} and adset_id in {adsets:Array(UUID)}
       and hour >= toStartOfHour({from:DateTime64(3, 'UTC')}) and hour < {before:DateTime64(3, 'UTC')}
     group by adset_id, exit, outbid_by`,
    { company: companyId, adsets, from: clickhouseTime(fromMs), before: clickhouseTime(beforeMs) },
    'JSON',
    settings,
  );
}

/** Requests of one exit in a period by campaign; '' stands for all other campaigns of the company. */
export type CampaignExitRow = Pick<ExitRow, 'exit' | 'requests' | 'samples' | 'variance'> & {
  campaign: string;
};

/** The funnel of a company in a period, by whole hours: of some campaigns, and of all others together. */
export async function companyFunnel(
  clickhouse: ClickHouse,
  companyId: string,
  { campaigns, period: { fromMs, beforeMs } }: { campaigns: readonly string[]; period: Period },
  settings: QuerySettings,
): Promise<readonly CampaignExitRow[]> {
  return clickhouse.query<CampaignExitRow>(
    `select if(has({campaigns:Array(UUID)}, campaign_id), toString(campaign_id), '') as campaign, exit,
       sum(requests) as requests, sum(samples) as samples, sum(variance) as variance
     from funnel
     where company_id = {company:UUID}
       and hour >= toStartOfHour({from:DateTime64(3, 'UTC')}) and hour < {before:DateTime64(3, 'UTC')}
     group by campaign, exit`,
    { company: companyId, campaigns, from: clickhouseTime(fromMs), before: clickhouseTime(beforeMs) },
    'JSON',
    settings,
  );
}

/** Losses with a code of the exchange, and the prices at which they would have won. */
export interface LossRow {
  code: number;
  losses: number;
  /** Losses whose exchange said the price. */
  priced: number;
  /** Half of these would have won at this charge per thousand, and four of five at the other; null for none. */
  medianCpmMicros: Micros | null;
  mostCpmMicros: Micros | null;
}

/** {@link LossRow} of an ad set; of '' for all together. */
export type AdsetLossRow = LossRow & { adset: string };

const LOSSES = `loss_reason as code, count() as losses, countIf(min_to_win_cpm_micros > 0) as priced,
  quantilesTDigestIf(0.5, 0.8)(min_to_win_cpm_micros, min_to_win_cpm_micros > 0) as prices,
  if(priced > 0, toInt64(prices[1]), null) as medianCpmMicros,
  if(priced > 0, toInt64(prices[2]), null) as mostCpmMicros`;

/** Losses that exchanges have reported, of some ad sets and of all these together, without test traffic. */
export async function lossesOf(
  clickhouse: ClickHouse,
  companyId: string,
  adsets: readonly string[],
  { fromMs, beforeMs }: Period,
  settings: QuerySettings,
): Promise<readonly AdsetLossRow[]> {
  if (adsets.length === 0) return [];
  return clickhouse.query<AdsetLossRow>(
    `select if(grouping(adset_id) = 0, toString(adset_id), '') as adset, ${LOSSES} from events
     where company_id = {company:UUID} and kind = 'loss' and test = 0 and adset_id in {adsets:Array(UUID)}
       and time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
     group by grouping sets ((adset_id, loss_reason), (loss_reason))`,
    { company: companyId, adsets, from: clickhouseTime(fromMs), before: clickhouseTime(beforeMs) },
    'JSON',
    settings,
  );
}

/** {@link LossRow} of a campaign; of '' for all of the company together. */
export type CampaignLossRow = LossRow & { campaign: string };

/** Losses that exchanges have reported to a company: of some campaigns, and of all together, without test traffic. */
export async function companyLosses(
  clickhouse: ClickHouse,
  companyId: string,
  { campaigns, period: { fromMs, beforeMs } }: { campaigns: readonly string[]; period: Period },
  settings: QuerySettings,
): Promise<readonly CampaignLossRow[]> {
  return clickhouse.query<CampaignLossRow>(
    `select if(grouping(campaign_id) = 0, toString(campaign_id), '') as campaign, ${LOSSES} from events
     where company_id = {company:UUID} and kind = 'loss' and test = 0
       and time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
     group by grouping sets ((campaign_id, loss_reason), (loss_reason))
     having campaign = '' or has({campaigns:Array(UUID)}, toUUIDOrZero(campaign))`,
    { company: companyId, campaigns, from: clickhouseTime(fromMs), before: clickhouseTime(beforeMs) },
    'JSON',
    settings,
  );
}
