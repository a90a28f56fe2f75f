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

/** Losses of a company's ad sets in a period, by the code of the exchange. */
export interface LossRow {
  adset: string;
  code: number;
  losses: number;
}

/** Losses that exchanges have reported, without test traffic. */
export async function lossesOf(
  clickhouse: ClickHouse,
  companyId: string,
  adsets: readonly string[],
  { fromMs, beforeMs }: Period,
  settings: QuerySettings,
): Promise<readonly LossRow[]> {
  if (adsets.length === 0) return [];
  return clickhouse.query<LossRow>(
    `select adset_id as adset, loss_reason as code, count() as losses from events
     where company_id = {company:UUID} and kind = 'loss' and test = 0 and adset_id in {adsets:Array(UUID)}
       and time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
     group by adset_id, loss_reason`,
    { company: companyId, adsets, from: clickhouseTime(fromMs), before: clickhouseTime(beforeMs) },
    'JSON',
    settings,
  );
}

/** Losses by campaign; '' stands for all other campaigns of the company. */
export type CampaignLossRow = Pick<LossRow, 'code' | 'losses'> & { campaign: string };

/** Losses that exchanges have reported to a company, without test traffic: of some campaigns, and of all others together. */
export async function companyLosses(
  clickhouse: ClickHouse,
  companyId: string,
  { campaigns, period: { fromMs, beforeMs } }: { campaigns: readonly string[]; period: Period },
  settings: QuerySettings,
): Promise<readonly CampaignLossRow[]> {
  return clickhouse.query<CampaignLossRow>(
    `select if(has({campaigns:Array(UUID)}, campaign_id), toString(campaign_id), '') as campaign,
       loss_reason as code, count() as losses
     from events
     where company_id = {company:UUID} and kind = 'loss' and test = 0
       and time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
     group by campaign, loss_reason`,
    { company: companyId, campaigns, from: clickhouseTime(fromMs), before: clickhouseTime(beforeMs) },
    'JSON',
    settings,
  );
}
