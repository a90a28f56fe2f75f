import {
  type CampaignReach,
  REACH_DAYS_MAX,
  REACH_GROUPS,
  type Reach,
} from '@bidwell/contract/campaign-reports/reach';
import type { DeliveryQuery } from '@bidwell/contract/insight/delivery-query';
import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import { chosenMetricsOf } from '@bidwell/contract/reports/chosen-metrics';
import { type Counts, shareOf } from '@bidwell/contract/reports/metrics';
import { daysBetween } from '@bidwell/contract/lib/calendar';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import type { ClickHouse, QuerySettings } from '../../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import { Invalid } from '../../../platform/errors.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { campaignOf } from '../../campaigns/public.ts';
import {
  type Period,
  countForReport,
  namesOf,
  periodOf,
  rangeOf,
  sumOf,
  withinReportLimits,
  zeroCounts,
} from '../../reporting/public.ts';

/** People whose impressions are counted one by one; of more people a part is, by their keys. Its error is far below 2 %. */
const PEOPLE_MAX = 200_000;

/**
 * How many people saw the ads of a campaign in a range of days, how often, and the revenue per person: in all, and for each ad set. Throws
 * NotFound; Invalid for more than {@link REACH_DAYS_MAX} days, and for a report that exceeds its limits.
 */
export async function campaignReach(
  ctx: Context,
  actor: Actor,
  { uuid, ...query }: DeliveryQuery & { uuid: string },
  peopleMax = PEOPLE_MAX,
): Promise<CampaignReach> {
  requirePermission(actor, 'report.read');
  const { companyId } = actor;
  const { kind } = await campaignOf(ctx, actor, uuid);
  const range = await rangeOf(ctx, actor, query);
  if (daysBetween(range.start, range.end) >= REACH_DAYS_MAX)
    throw new Invalid([{ field: 'end_date', message: `At most ${REACH_DAYS_MAX} days` }]);
  const scope = { companyId, campaignId: uuid, period: periodOf(range) };
  const known = await withinReportLimits(ctx, (settings) => countPeople(ctx.clickhouse, scope, settings));
  const oneIn = Math.max(1, Math.ceil(known.people / peopleMax));
  const groups = await withinReportLimits(ctx, (settings) =>
    groupPeople(ctx.clickhouse, { ...scope, oneIn }, settings),
  );
  const byAdset = groupBy(groups, ({ adset }) => adset);
  const uuids = new Set([...byAdset.keys()].filter((adset) => adset !== ''));
  const names = (await namesOf(ctx.db, companyId, new Map([['adset', uuids]]))).get('adset');
  const counted = await countForReport(ctx, companyId, {
    period: scope.period,
    by: ['adset'],
    filters: { campaign: [uuid] },
    eventNames: [],
  });
  const countsOf = new Map(counted.map((counts) => [counts.values[0]!, counts]));
  const counts = sumOf(counted);
  const unknownOf = new Set(known.unknown_of);
  const reachOf = (adset: string, of: Counts | undefined, isEveryoneKnown: boolean): Reach => {
    const frequency = frequencyOf(byAdset.get(adset) ?? [], oneIn);
    const revenue = revenueOf(of, kind);
    const people = isEveryoneKnown ? frequency.people : null;
    return { ...frequency, revenue, revenue_per_person: shareOf(revenue, people, 1) };
  };
  return {
    total: reachOf('', counts, known.unknown === 0),
    adsets: [...uuids]
      .map((adset) => ({
        uuid: adset,
        name: names?.get(adset) ?? 'Unknown',
        ...reachOf(adset, countsOf.get(adset), !unknownOf.has(adset)),
      }))
      .toSorted((a, b) => b.people - a.people),
    unknown_impressions: known.unknown,
    ...(kind === 're_engagement' && {
      re_engagement: { reattributions: counts.reEngagement?.reattributions ?? 0 },
    }),
    one_in: oneIn,
  };
}

/** Dollars of the events of a campaign, or of an ad set of it, by the rule of reports: null where amounts were sent and none is known. Pure. */
function revenueOf(counts: Counts | undefined, kind: CampaignKind): number | null {
  const metric = kind === 're_engagement' ? 're_engagement_revenue' : 'revenue';
  return chosenMetricsOf(counts ?? zeroCounts, [metric])[metric] ?? null;
}

/** How often groups of people, each of whom stands for some, saw the ads. Pure. */
function frequencyOf(
  groups: readonly PeopleGroup[],
  oneIn: number,
): Omit<Reach, 'revenue' | 'revenue_per_person'> {
  const sum = (of: 'people' | 'impressions') => groups.reduce((all, group) => all + group[of], 0) * oneIn;
  const [people, impressions] = [sum('people'), sum('impressions')];
  return {
    people,
    impressions,
    frequency: people > 0 ? impressions / people : null,
    distribution: REACH_GROUPS.map((from, index) => {
      const next = REACH_GROUPS[index + 1];
      const group = groups.find((one) => one.seen === from);
      return { from, to: next === undefined ? null : next - 1, people: (group?.people ?? 0) * oneIn };
    }),
  };
}

/** The charged impressions of a company's campaign in a period. */
interface Scope {
  companyId: string;
  campaignId: string;
  period: Period;
}

/** Most ad sets of a campaign of which the report has a line. */
const ADSETS_MAX = 10_000;

const CHARGED = `company_id = {company:UUID} and campaign_id = {campaign:UUID} and test = 0 and spend_micros > 0
  and time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}`;

const paramsOf = ({ companyId, campaignId, period }: Scope) => ({
  company: companyId,
  campaign: campaignId,
  from: clickhouseTime(period.fromMs),
  before: clickhouseTime(period.beforeMs),
});

/** About how many people are known, and the impressions whose person is not, with their ad sets. */
async function countPeople(
  clickhouse: ClickHouse,
  scope: Scope,
  settings: QuerySettings,
): Promise<{ people: number; unknown: number; unknown_of: readonly string[] }> {
  const [row] = await clickhouse.query<{ people: number; unknown: number; unknown_of: string[] }>(
    `select uniqCombined64If(person_key, person_key != 0) as people, uniqCombined64If(bid_id, person_key = 0) as unknown,
       groupUniqArrayIf(${ADSETS_MAX})(toString(adset_id), person_key = 0) as unknown_of
     from events where ${CHARGED}`,
    paramsOf(scope),
    'JSON',
    settings,
  );
  return row!;
}

/** People of an ad set, or of the campaign, who saw an ad about as often. */
interface PeopleGroup {
  /** '' for the campaign. */
  adset: string;
  /** One of {@link REACH_GROUPS}. */
  seen: number;
  people: number;
  impressions: number;
}

/** One in `oneIn` people by how often they saw an ad. Several events may charge one bid. */
async function groupPeople(
  clickhouse: ClickHouse,
  { oneIn, ...scope }: Scope & { oneIn: number },
  settings: QuerySettings,
): Promise<readonly PeopleGroup[]> {
  const group = `multiIf(${REACH_GROUPS.slice(1)
    .map((from, index) => `times < ${from}, ${REACH_GROUPS[index]}`)
    .join(', ')}, ${REACH_GROUPS.at(-1)})`;
  const seen = `select toString(adset_id) as adset, person_key, uniqExact(bid_id) as times from events
    where ${CHARGED} and person_key != 0 and person_key % {oneIn:UInt32} = 0 group by adset, person_key`;
  return clickhouse.query<PeopleGroup>(
    `select adset, ${group} as seen, count() as people, sum(times) as impressions
     from (
       select adset, person_key, times from (${seen})
       union all
       select '' as adset, person_key, sum(times) as times from (${seen}) group by person_key
     )
     group by adset, seen limit 100000`,
    { ...paramsOf(scope), oneIn },
    'JSON',
    settings,
  );
}
