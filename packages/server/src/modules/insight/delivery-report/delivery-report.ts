import { addDays, dateAt, daysBetween, startOfDayMs } from '@bidwell/contract/lib/calendar';
import type { Campaign } from '@bidwell/contract/campaigns/schema';
import type {
  AdsetDelivery,
  DeliveryReport,
  DeliveryFunnel,
  DeliveryStep,
  LossesByCode,
  MinToWin,
} from '@bidwell/contract/insight/delivery-report';
import type { DeliveryQuery } from '@bidwell/contract/insight/delivery-query';
import type { Estimate } from '@bidwell/contract/insight/estimate';
import type { Context } from '../../../context.ts';
import type { Actor, Owner } from '../../../platform/actor.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { campaignOf, namesOfAdsets, campaignsOfCompany } from '../../campaigns/public.ts';
import {
  countForReport,
  periodOf,
  rangeOf,
  sumOf,
  withinReportLimits,
  zeroCounts,
} from '../../reporting/public.ts';
import { goalLearning } from './goal-learning.ts';
import { type LossProfiles, lossProfileParams, lossProfileSql, lossProfilesOf } from '../loss-profiles.ts';
import { tooLargeByAdset } from '../shown-creatives.ts';
import type { ProfileSlug } from '@bidwell/contract/operator/exchange-rules';
import type { CompanyDelivery } from '@bidwell/contract/insight/company-delivery';
import { LOSS_REASONS, OWN_LOSS_CODES, UNKNOWN_LOSS_CODES } from '@bidwell/contract/bid-log/loss-reasons';
import { type Micros, toDollars } from '@bidwell/contract/lib/money';
import type { ClickHouse, QuerySettings } from '../../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import type { CountedExit } from '../../../delivery/public.ts';
import { ID_STATES, type IdState, WITHHELD_REASONS } from '@bidwell/contract/insight/device-ids';
import type { FunnelExit } from '@bidwell/contract/text/no-bid-reasons';
import { FUNNEL_STEPS } from '@bidwell/contract/insight/funnel';
import type { Counts } from '@bidwell/contract/reports/metrics';

/**
 * How the bid requests of a range of days became impressions of a campaign, in total and by ad set. Throws NotFound;
 * Invalid for dates that are not supported.
 */
export async function deliveryReport(
  ctx: Context,
  actor: Actor,
  campaignUuid: string,
  query: DeliveryQuery,
): Promise<DeliveryReport> {
  requirePermission(actor, 'report.read');
  const campaign = await campaignOf(ctx, actor, campaignUuid);
  return deliveryOf(ctx, actor, [campaign], query);
}

/** {@link deliveryReport} of several campaigns of a company at once. */
export async function deliveryOf(
  ctx: Context,
  owner: Owner,
  campaigns: readonly Pick<Campaign, 'uuid' | 'adsets' | 'app_uuid' | 'kind'>[],
  query: DeliveryQuery,
): Promise<DeliveryReport> {
  const { companyId } = owner;
  const period = periodOf(await rangeOf(ctx, owner, query));
  const own = campaigns.flatMap(({ adsets, kind }) =>
    adsets.map((adset) => ({ ...adset, isReEngagement: kind === 're_engagement' })),
  );
  const uuids = own.map(({ uuid }) => uuid);
  const profiles = await lossProfilesOf(ctx.db);
  const [exits, losses, rows, learning, tooLarge] = await Promise.all([
    withinReportLimits(ctx, (settings) => funnelOf(ctx.clickhouse, companyId, uuids, period, settings)),
    withinReportLimits(ctx, (settings) =>
      lossesOf(ctx.clickhouse, companyId, uuids, { ...period, profiles }, settings),
    ),
    countForReport(ctx, companyId, {
      period,
      by: ['adset'],
      filters: { campaign: campaigns.map(({ uuid }) => uuid) },
      extended: true,
    }),
    goalLearning(ctx, owner, uuids),
    tooLargeByAdset(ctx, owner, campaigns),
  ]);
  const counts = new Map(rows.map((row) => [row.values[0]!, row]));
  const others = exits.map(({ outbid_by: by }) => by).filter((by) => by !== '');
  const names = await namesOfAdsets(ctx, owner, others);
  const exitsOf = groupBy(exits, ({ adset }) => adset);
  const lossesBy = groupBy(losses, ({ adset }) => adset);
  const adsets = own.map(({ uuid, name, isReEngagement }): AdsetDelivery => {
    const ownExits = exitsOf.get(uuid) ?? [];
    return {
      uuid,
      name,
      ...funnelFrom({
        exits: ownExits,
        losses: lossesBy.get(uuid) ?? [],
        counts: counts.get(uuid) ?? zeroCounts,
        isReEngagement,
      }),
      outbid_by: outbidBy(ownExits, names),
      too_large: tooLarge.get(uuid) ?? [],
      learning: learning.get(uuid) ?? null,
    };
  });
  const total = funnelFrom({
    exits,
    losses: lossesBy.get('') ?? [],
    counts: sumOf(rows),
    isReEngagement: campaigns.some(({ kind }) => kind === 're_engagement'),
  });
  return { total, adsets };
}

/** The funnel is stored for 90 days. */
const FUNNEL_DAYS = 92;

/**
 * Days of a range for which ad sets of a company ran, in fractions: a day counts from the first hour in which a bid
 * request came to the ad set. Ad sets that did not run are absent. Throws Invalid for dates that are not supported.
 */
export async function runningDays(
  ctx: Context,
  owner: Owner,
  adsets: readonly string[],
  query: DeliveryQuery,
): Promise<ReadonlyMap<string, number>> {
  const { start, end, timeZone } = await rangeOf(ctx, owner, query);
  const nowMs = ctx.now().getTime();
  const today = dateAt(nowMs, timeZone);
  const first = max(start, addDays(today, -FUNNEL_DAYS));
  const last = end < today ? end : today;
  const days = Array.from({ length: Math.max(0, daysBetween(first, last) + 2) }, (_, index) =>
    Math.floor(startOfDayMs(addDays(first, index), timeZone) / 1000),
  );
  const rows = await withinReportLimits(ctx, (settings) =>
    runningDaysOf(ctx.clickhouse, owner.companyId, adsets, { dayStarts: days, nowMs }, settings),
  );
  return new Map(rows.map(({ adset, ran }) => [adset, ran]));
}

const max = (a: string, b: string): string => (a > b ? a : b);

function outbidBy(rows: readonly ExitRow[], names: ReadonlyMap<string, string>): AdsetDelivery['outbid_by'] {
  return rows
    .filter(({ outbid_by: by }) => by !== '' && names.has(by))
    .toSorted((a, b) => b.requests - a.requests)
    .map((row) => ({
      uuid: row.outbid_by,
      name: names.get(row.outbid_by)!,
      requests: estimateOf(row),
    }));
}

/** Campaigns with a funnel of their own. */
const CAMPAIGNS_MAX = 200;

/**
 * How the bid requests of a range of days became impressions of all campaigns of the company, in total and for each of the
 * newest that are not archived. Throws Invalid for dates that are not supported.
 */
export async function companyDelivery(
  ctx: Context,
  actor: Actor,
  query: DeliveryQuery,
): Promise<CompanyDelivery> {
  requirePermission(actor, 'report.read');
  const { companyId } = actor;
  const period = periodOf(await rangeOf(ctx, actor, query));
  const listed = (await campaignsOfCompany(ctx, actor))
    .filter(({ archived_at: archivedAt }) => archivedAt === null)
    .slice(0, CAMPAIGNS_MAX);
  const campaigns = listed.map(({ uuid }) => uuid);
  const counting = { period, extended: true } as const;
  const profiles = await lossProfilesOf(ctx.db);
  const [exits, losses, all, rows] = await Promise.all([
    withinReportLimits(ctx, (settings) =>
      companyFunnel(ctx.clickhouse, companyId, { campaigns, period }, settings),
    ),
    withinReportLimits(ctx, (settings) =>
      companyLosses(ctx.clickhouse, companyId, { campaigns, period, profiles }, settings),
    ),
    countForReport(ctx, companyId, { ...counting, by: [], filters: {} }),
    campaigns.length === 0
      ? []
      : countForReport(ctx, companyId, {
          ...counting,
          by: ['campaign'],
          filters: { campaign: campaigns },
        }),
  ]);
  const counts = new Map(rows.map((row) => [row.values[0]!, row]));
  const exitsOf = groupBy(exits, ({ campaign }) => campaign);
  const lossesBy = groupBy(losses, ({ campaign }) => campaign);
  const sum = sumOf(all);
  return {
    total: funnelFrom({
      exits,
      losses: lossesBy.get('') ?? [],
      counts: sum,
      // Deleted campaigns count too.
      isReEngagement: sum.reEngagement !== undefined,
    }),
    campaigns: listed
      .map(({ uuid, name, kind }) => ({
        uuid,
        name,
        ...funnelFrom({
          exits: exitsOf.get(uuid) ?? [],
          losses: lossesBy.get(uuid) ?? [],
          counts: counts.get(uuid) ?? zeroCounts,
          isReEngagement: kind === 're_engagement',
        }),
      }))
      .toSorted((a, b) => b.spend - a.spend || b.seen.value - a.seen.value),
  };
}

/** A span of time in Unix ms. */
interface Period {
  fromMs: number;
  beforeMs: number;
}

/** Requests of one exit in a period. */
interface ExitRow {
  adset: string;
  exit: CountedExit | IdState;
  outbid_by: string;
  requests: number;
  samples: number;
  variance: number;
}

/** The funnel of a company's ad sets in a period, by whole hours. */
async function funnelOf(
  clickhouse: ClickHouse,
  companyId: string,
  adsets: readonly string[],
  { fromMs, beforeMs }: Period,
  settings: QuerySettings,
): Promise<readonly ExitRow[]> {
  if (adsets.length === 0) return [];
  return clickhouse.query<ExitRow>(
    funnelSql('adset_id', 'adset', 'adset_id in {adsets:Array(UUID)}'),
    { company: companyId, adsets, from: clickhouseTime(fromMs), before: clickhouseTime(beforeMs) },
    'JSON',
    settings,
  );
}

/** SQL of the requests by exit, and by state of their advertising ids, of each value of a group in a period. */
function funnelSql(group: string, name: string, filter = '1'): string {
  const rowsOf = (table: string, exit: string, by: string): string => `
    select ${group} as ${name}, ${exit} as exit, ${by} as outbid_by,
      sum(requests) as requests, sum(samples) as samples, sum(variance) as variance
    from ${table}
    where company_id = {company:UUID} and ${filter}
      and hour >= toStartOfHour({from:DateTime64(3, 'UTC')}) and hour < {before:DateTime64(3, 'UTC')}
    group by ${name}, exit, outbid_by`;
  return `${rowsOf('funnel', 'toString(exit)', 'toString(outbid_by)')} union all ${rowsOf('device_ids', 'toString(state)', "''")}`;
}

/**
 * Days for which ad sets ran: each local day from the first hour with bid requests to its end, or to now. Ad sets that did
 * not run are absent. `dayStarts` are the starts of the days of the period in Unix seconds, and the end of the last.
 */
async function runningDaysOf(
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
type CampaignExitRow = Pick<ExitRow, 'exit' | 'requests' | 'samples' | 'variance'> & {
  campaign: string;
};

/** The funnel of a company in a period, by whole hours: for each of some campaigns, and for all others together. */
async function companyFunnel(
  clickhouse: ClickHouse,
  companyId: string,
  { campaigns, period: { fromMs, beforeMs } }: { campaigns: readonly string[]; period: Period },
  settings: QuerySettings,
): Promise<readonly CampaignExitRow[]> {
  return clickhouse.query<CampaignExitRow>(
    funnelSql("if(has({campaigns:Array(UUID)}, campaign_id), toString(campaign_id), '')", 'campaign'),
    { company: companyId, campaigns, from: clickhouseTime(fromMs), before: clickhouseTime(beforeMs) },
    'JSON',
    settings,
  );
}

/** Losses for a reason, and the prices at which they would have won. */
interface LossRow {
  /** Code of OpenRTB or of `profile`, {@link OWN_LOSS_CODES} or {@link UNKNOWN_LOSS_CODES}. */
  code: number;
  /** The profile that gives the code its meaning; '' for OpenRTB. */
  profile: ProfileSlug | '';
  losses: number;
  /** Losses whose exchange reported the price. */
  priced: number;
  /** Half of these would have won at this charge per thousand, and four of five at the other; null for none. */
  medianCpmMicros: Micros | null;
  mostCpmMicros: Micros | null;
  /**
   * The priced losses whose value is known, the median value, and the multiples of the value at which half and four of five would have won.
   */
  valued: number;
  medianValueMicros: Micros | null;
  medianFactor: number | null;
  mostFactor: number | null;
}

/** {@link LossRow} of an ad set; `adset` is '' for all together. */
type AdsetLossRow = LossRow & { adset: string };

/** Losses that exchanges have reported, of some ad sets and of all these together, without test traffic. */
async function lossesOf(
  clickhouse: ClickHouse,
  companyId: string,
  adsets: readonly string[],
  { fromMs, beforeMs, profiles }: Period & { profiles: LossProfiles },
  settings: QuerySettings,
): Promise<readonly AdsetLossRow[]> {
  if (adsets.length === 0) return [];
  return clickhouse.query<AdsetLossRow>(
    lossesSql('adset', 'toString(adset_id)', 'adset_id in {adsets:Array(UUID)}'),
    {
      company: companyId,
      adsets,
      from: clickhouseTime(fromMs),
      before: clickhouseTime(beforeMs),
      ...lossProfileParams(profiles),
    },
    'JSON',
    settings,
  );
}

/** {@link LossRow} of a campaign; `campaign` is '' for all of the company together. */
type CampaignLossRow = LossRow & { campaign: string };

/**
 * Losses that exchanges have reported to a company: for each of some campaigns, and for all together, without test
 * traffic.
 */
async function companyLosses(
  clickhouse: ClickHouse,
  companyId: string,
  {
    campaigns,
    period: { fromMs, beforeMs },
    profiles,
  }: { campaigns: readonly string[]; period: Period; profiles: LossProfiles },
  settings: QuerySettings,
): Promise<readonly CampaignLossRow[]> {
  return clickhouse.query<CampaignLossRow>(
    lossesSql(
      'campaign',
      `if(has({campaigns:Array(UUID)}, campaign_id), toString(campaign_id), '${OTHERS}')`,
    ),
    {
      company: companyId,
      campaigns,
      from: clickhouseTime(fromMs),
      before: clickhouseTime(beforeMs),
      ...lossProfileParams(profiles),
    },
    'JSON',
    settings,
  );
}

const OTHERS = 'others';
/** An exchange may send any code, so that those without a text would be any number of rows. */
const LOSS_CODE = `if(profile != '' or loss_reason in (${Object.keys(LOSS_REASONS).join(', ')}), loss_reason,
  if(loss_reason >= ${OWN_LOSS_CODES}, ${OWN_LOSS_CODES}, ${UNKNOWN_LOSS_CODES}))`;

/** The value of a bid's impression to the ad set, with the margin; for a shaded bid it is above the bid. 0 where it is not known. */
const VALUE = `if(value_cpm_micros > bid_cpm_micros and bid_cpm_micros > 0,
  value_cpm_micros * (charged_cpm_micros / bid_cpm_micros), toFloat64(charged_cpm_micros))`;

/** SQL of the losses by code, of each value of `group` but {@link OTHERS}, and of '' for all together. */
function lossesSql(name: string, group: string, filter = '1'): string {
  return `
    select if(grouping(grp) = 0, grp, '') as ${name}, code, profile, count() as losses, countIf(price > 0) as priced,
      quantilesTDigestIf(0.5, 0.8)(price, price > 0) as prices,
      if(priced > 0, toInt64(prices[1]), null) as medianCpmMicros, if(priced > 0, toInt64(prices[2]), null) as mostCpmMicros,
      countIf(price > 0 and value > 0) as valued,
      quantilesTDigestIf(0.5, 0.8)(price / value, price > 0 and value > 0) as factors,
      if(valued > 0, toInt64(quantileTDigestIf(0.5)(value, price > 0 and value > 0)), null) as medianValueMicros,
      if(valued > 0, toFloat64(factors[1]), null) as medianFactor, if(valued > 0, toFloat64(factors[2]), null) as mostFactor
    from (
      select ${group} as grp, ${lossProfileSql('exchange', 'loss_reason')} as profile,
        ${LOSS_CODE} as code, min_to_win_cpm_micros as price, ${VALUE} as value from events
      where company_id = {company:UUID} and kind = 'loss' and test = 0 and ${filter}
        and time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
    )
    group by grouping sets ((grp, code, profile), (code, profile)) having ${name} != '${OTHERS}'`;
}

/** Half the width of a 95 % interval, in standard deviations. */
const SIGMAS = 1.96;

/** A sum over samples with its variance. */
interface Sum {
  requests: number;
  variance: number;
}

/** The funnel of an ad set, or of several, in a period. */
interface FunnelFacts {
  exits: readonly Pick<ExitRow, 'exit' | 'requests' | 'samples' | 'variance'>[];
  /** One for each code. */
  losses: readonly LossRow[];
  counts: Readonly<Counts>;
  /** Whether any of its ad sets is of a re-engagement campaign. */
  isReEngagement: boolean;
}

/**
 * The funnel of these rows. Each step has the requests of the step before without those that left in between, so the
 * steps add up to the last sampled request.
 */
function funnelFrom({ exits, losses, counts, isReEngagement }: FunnelFacts): DeliveryFunnel {
  const sampled = exits.filter(({ exit }) => exit !== 'sent' && !idStates.has(exit));
  const byExit = groupBy(exits, ({ exit }) => exit);
  const remaining = sumOfExits(sampled);
  const seen = estimateOf(remaining);
  const steps: DeliveryStep[] = FUNNEL_STEPS.map(({ step, exits: names }) => {
    const left = (names as readonly FunnelExit[])
      .map((exit) => ({ exit, sum: sumOfExits(byExit.get(exit) ?? []) }))
      .filter(({ sum }) => sum.requests > 0)
      .toSorted((a, b) => b.sum.requests - a.sum.requests);
    for (const { sum } of left) {
      remaining.requests -= sum.requests;
      remaining.variance -= sum.variance;
    }
    return {
      step,
      requests: estimateOf(remaining),
      exits: left.map(({ exit, sum }) => ({ exit, requests: estimateOf(sum) })),
    };
  });
  return {
    seen,
    samples: sampled.reduce((sum, row) => sum + row.samples, 0),
    steps,
    bids: sumOfExits(exits.filter(({ exit }) => exit === 'sent')).requests,
    wins: counts.wins ?? 0,
    losses: counts.losses ?? 0,
    device_ids: deviceIdsOf(byExit),
    losses_by_code: losses.map(lossesOfCode).toSorted((a, b) => b.losses - a.losses || a.code - b.code),
    impressions: counts.impressions,
    clicks: counts.clicks,
    installs: counts.installs,
    ...(isReEngagement && { reattributions: counts.reEngagement?.reattributions ?? 0 }),
    spend: toDollars(counts.spendMicros),
  };
}

const idStates: ReadonlySet<string> = new Set(ID_STATES);

/** The advertising ids of the targeted requests; null where none was counted, as before they were. */
function deviceIdsOf(
  byState: ReadonlyMap<CountedExit | IdState, readonly Sum[]>,
): DeliveryFunnel['device_ids'] {
  const sumAt = (state: IdState) => sumOfExits(byState.get(state) ?? []);
  const withheld = WITHHELD_REASONS.map((reason) => ({ reason, sum: sumAt(reason) })).filter(
    ({ sum }) => sum.requests > 0,
  );
  const [usable, absent] = [sumAt('usable'), sumAt('absent')];
  if (withheld.length === 0 && usable.requests + absent.requests === 0) return null;
  return {
    usable: estimateOf(usable),
    absent: estimateOf(absent),
    withheld: withheld
      .toSorted((a, b) => b.sum.requests - a.sum.requests)
      .map(({ reason, sum }) => ({ reason, requests: estimateOf(sum) })),
  };
}

/** An estimate from the sum of a sample. */
function estimateOf({ requests, variance }: Sum): Estimate {
  return { value: requests, error: Math.round(SIGMAS * Math.sqrt(Math.max(0, variance))) };
}

function lossesOfCode(row: LossRow): LossesByCode {
  const { code, losses, priced, medianCpmMicros, mostCpmMicros } = row;
  const profile = row.profile || null;
  if (medianCpmMicros === null || mostCpmMicros === null) return { code, profile, losses, min_to_win: null };
  return {
    code,
    profile,
    losses,
    min_to_win: {
      losses: priced,
      median_cpm: toDollars(medianCpmMicros),
      p80_cpm: toDollars(mostCpmMicros),
      value: valueOf(row),
    },
  };
}

function valueOf({ valued, medianValueMicros, medianFactor, mostFactor }: LossRow): MinToWin['value'] {
  if (medianValueMicros === null || medianFactor === null || mostFactor === null) return null;
  return {
    losses: valued,
    median_cpm: toDollars(medianValueMicros),
    median_factor: medianFactor,
    p80_factor: mostFactor,
  };
}

function sumOfExits(rows: readonly Sum[]): Sum {
  const sum = { requests: 0, variance: 0 };
  for (const { requests, variance } of rows) {
    sum.requests += requests;
    sum.variance += variance;
  }
  return sum;
}
