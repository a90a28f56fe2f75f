import { LOSS_REASONS, OWN_LOSS_CODES, UNKNOWN_LOSS_CODES } from '@bidwell/contract/bid-log/loss-reasons';
import type { Micros } from '@bidwell/contract/lib/money';
import type { ClickHouse, QuerySettings } from '../../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import type { CountedExit } from '../../../delivery/public.ts';

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

/**
 * Days for which ad sets ran: each local day from the first hour with bid requests to its end, or to now. Ad sets that did
 * not run are absent. `dayStarts` are the starts of the days of the period in Unix seconds, and the end of the last.
 */
export async function runningDaysOf(
  clickhouse: ClickHouse,
  companyId: string,
  adsets: readonly string[],
  { dayStarts, nowMs }: { dayStarts: readonly number[]; nowMs: number },
  settings: QuerySettings,
): Promise<readonly { adset: string; ran: number }[]> {
  if (adsets.length === 0 || dayStarts.length < 2) return [];
  return clickhouse.query<{ adset: string; ran: number }>(
    `with {starts:Array(UInt32)} as starts
     select adset, sum(greatest(0, least(starts[i + 1], {now:UInt32}) - began) / (starts[i + 1] - starts[i])) as ran
     from (
       select adset_id as adset, arrayLastIndex(start -> start <= toUnixTimestamp(hour), {starts:Array(UInt32)}) as i,
         min(toUnixTimestamp(hour)) as began
       from funnel
       where company_id = {company:UUID} and adset_id in {adsets:Array(UUID)} and exit != 'campaign_not_running'
         and hour >= toDateTime({from:UInt32}) and hour < toDateTime({before:UInt32})
       group by adset_id, i
     )
     group by adset`,
    {
      company: companyId,
      adsets,
      starts: dayStarts,
      from: dayStarts[0]!,
      before: dayStarts.at(-1)!,
      now: Math.floor(nowMs / 1000),
    },
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

/** Losses for a reason, and the prices at which they would have won. */
export interface LossRow {
  /** Code of OpenRTB, {@link OWN_LOSS_CODES} or {@link UNKNOWN_LOSS_CODES}. */
  code: number;
  losses: number;
  /** Losses whose exchange reported the price. */
  priced: number;
  /** Half of these would have won at this charge per thousand, and four of five at the other; null for none. */
  medianCpmMicros: Micros | null;
  mostCpmMicros: Micros | null;
  /** Those of these whose value is known, which half of them had at most, and the multiples of it at which half and four of five would have won. */
  valued: number;
  medianValueMicros: Micros | null;
  medianFactor: number | null;
  mostFactor: number | null;
}

/** {@link LossRow} of an ad set; of '' for all together. */
export type AdsetLossRow = LossRow & { adset: string };

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
    lossesSql('adset', 'toString(adset_id)', 'adset_id in {adsets:Array(UUID)}'),
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
    lossesSql(
      'campaign',
      `if(has({campaigns:Array(UUID)}, campaign_id), toString(campaign_id), '${OTHERS}')`,
    ),
    { company: companyId, campaigns, from: clickhouseTime(fromMs), before: clickhouseTime(beforeMs) },
    'JSON',
    settings,
  );
}

const OTHERS = 'others';
/** An exchange may send any code, so that those without a text would be any number of rows. */
const LOSS_CODE = `if(loss_reason in (${Object.keys(LOSS_REASONS).join(', ')}), loss_reason,
  if(loss_reason >= ${OWN_LOSS_CODES}, ${OWN_LOSS_CODES}, ${UNKNOWN_LOSS_CODES}))`;

/** What the impression of a bid was worth to the ad set, with the margin: that of a shaded bid is above the bid. 0 where it is not known. */
const VALUE = `if(value_cpm_micros > bid_cpm_micros and bid_cpm_micros > 0,
  value_cpm_micros * (charged_cpm_micros / bid_cpm_micros), toFloat64(charged_cpm_micros))`;

/** SQL of the losses by code, of each value of `group` but {@link OTHERS}, and of '' for all together. */
function lossesSql(name: string, group: string, filter = '1'): string {
  return `
    select if(grouping(grp) = 0, grp, '') as ${name}, code, count() as losses, countIf(price > 0) as priced,
      quantilesTDigestIf(0.5, 0.8)(price, price > 0) as prices,
      if(priced > 0, toInt64(prices[1]), null) as medianCpmMicros, if(priced > 0, toInt64(prices[2]), null) as mostCpmMicros,
      countIf(price > 0 and value > 0) as valued,
      quantilesTDigestIf(0.5, 0.8)(price / value, price > 0 and value > 0) as factors,
      if(valued > 0, toInt64(quantileTDigestIf(0.5)(value, price > 0 and value > 0)), null) as medianValueMicros,
      if(valued > 0, toFloat64(factors[1]), null) as medianFactor, if(valued > 0, toFloat64(factors[2]), null) as mostFactor
    from (
      select ${group} as grp, ${LOSS_CODE} as code, min_to_win_cpm_micros as price, ${VALUE} as value from events
      where company_id = {company:UUID} and kind = 'loss' and test = 0 and ${filter}
        and time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
    )
    group by grouping sets ((grp, code), (code)) having ${name} != '${OTHERS}'`;
}
