import { isDeepStrictEqual } from 'node:util';
import type { Adset } from '@bidwell/contract/adsets/schema';
import { type UnreachableGroup, unreachableGroup } from '@bidwell/contract/audiences/choice';
import { isOfValue } from '@bidwell/contract/adsets/goals';
import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import type { RevenueSource } from '@bidwell/contract/apps/event-settings';
import { goalMessages, missingGoal } from '@bidwell/contract/adsets/missing-goal';
import { addDays, dateAt, startOfDayMs } from '@bidwell/contract/lib/calendar';
import type {
  DayForecast,
  Forecast,
  ForecastInput,
  ForecastRange,
  ForecastValue as PresentedValue,
} from '@bidwell/contract/insight/forecast';
import { insightApiMessages } from '@bidwell/contract/insight/api-messages';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import { type Micros, toDollars, toMicros } from '@bidwell/contract/lib/money';
import { numberText } from '@bidwell/contract/lib/number-text';
import {
  type AdsetRow,
  type ForecastQuestion,
  type ForecastResult,
  type Forecaster,
  type LimitedBy,
  type NothingBecause,
  type Range,
  type SpendLimits,
  type TooLittle,
  audiencesOfAdset,
  loadDraftCreatives,
  loadUsedAudiences,
  scaled,
  type ForecastValue,
  eventRulesOf,
  revenueSourcesBy,
} from '../../../delivery/public.ts';
import type { Context } from '../../../context.ts';
import type { Actor, Owner } from '../../../platform/actor.ts';
import { Invalid, Unavailable } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { adsetOf, spendOfAdsets } from '../../campaigns/public.ts';
import { countsOfAdsets } from '../../reporting/public.ts';
import { audiencesInBrief, knownGroups } from '../../catalog/public.ts';
import { availableMicros } from '../../money/public.ts';
import { type RecordedForecasts, forecastRecord, widened } from './forecast-history.ts';
import { LEARNED_CONVERSIONS } from '@bidwell/contract/insight/goal-learning';
import type { Os } from '@bidwell/contract/apps/fields';
import type { ClickHouse, QuerySettings } from '../../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** Dependencies of {@link forecastAdset}. */
export interface ForecastDeps {
  ctx: Context;
  /** Null in a process that does not forecast. */
  forecaster: Forecaster | null;
}

const DAY_MS = 86_400_000;
/** The id of an ad set that is not saved yet. */
const NEW_ADSET = '00000000-0000-0000-0000-000000000000';

/**
 * Forecasts a day of an ad set as it would be saved, and the figures that an ad set that ran yesterday would have had with
 * the changes. Throws Invalid for a target or creative groups that do not exist, NotFound for the ad set.
 */
export async function forecastAdset(
  deps: ForecastDeps,
  actor: Actor,
  input: ForecastInput,
): Promise<Forecast> {
  requirePermission(actor, 'report.read');
  const { forecaster, ctx } = deps;
  if (!forecaster) throw new Unavailable(insightApiMessages.noForecasts);
  const saved = input.uuid === null ? null : await adsetOf(ctx, actor, input.uuid);
  const [whole, kind] = await Promise.all([draftOf(ctx, actor, input), kindOf(ctx, actor, input)]);
  const unreachable = await unreachableOf(ctx, actor, whole);
  // What an audience leaves is not known before its size is.
  const draft = unreachable === 'unknown' ? { ...whole, audiences: null } : whole;
  const [limits, activeShareOf, { record, widening }] = await Promise.all([
    limitsOf(ctx, actor, input, input.uuid),
    activeShares(ctx, actor),
    forecastRecord(ctx, actor),
  ]);
  const made = await forecaster.forecastOf(draft, { activeShareOf, limits, withCurve: true });
  const from = {
    sampled_requests: made.sampled,
    bids: made.bids,
    value: made.value && presentValue(made.value, await revenueSourcesOf(ctx, actor, draft)),
    record,
  };
  if (!('impressions' in made.result)) {
    const { name: product } = (await ctx.brand.current()).settings;
    const message = tooLittle(product, made.result);
    return { message, day: null, curve: null, what_if: null, not_counted: [], ...from };
  }
  const result = widenedResult(made.result, widening, spendMax(limits));
  if (unreachable === 'empty' || unreachable === 'contradiction')
    return {
      message: null,
      day: { ...nothingOf(result, kind), nothing_because: UNREACHABLE[unreachable] },
      curve: null,
      what_if: null,
      not_counted: [],
      ...from,
    };
  const hasInstallPrice = draft.algorithm === 'Target CPI' || isOfValue(draft.algorithm);
  const price = hasInstallPrice ? ('bet_cpi' as const) : ('bet_cpm' as const);
  return {
    message: null,
    day: presentDay(result, kind),
    curve: {
      price,
      present: result.present,
      points: result.curve.map(({ bidMicros, winShare, impressions, spendMicros }) => ({
        bid: cents(toDollars(bidMicros)),
        win_share: rounded(winShare),
        impressions: rounded(impressions),
        spend: rounded(toDollars(spendMicros)),
      })),
    },
    not_counted: notCounted(result, whole, input),
    what_if:
      saved &&
      (await whatIf(deps, actor, { adset: saved, kind, draft: whole, input, result, activeShareOf })),
    ...from,
  };
}

const UNREACHABLE = { empty: 'audience_empty', contradiction: 'audience_contradiction' } as const;

/** Why the audiences of an ad set let no bid through, or that this is not known; null where each group may have people. */
async function unreachableOf(
  ctx: Context,
  owner: Owner,
  { audiences }: AdsetRow,
): Promise<UnreachableGroup['because'] | null> {
  if (!audiences || audiences.include.length === 0) return null;
  const known = await audiencesInBrief(ctx, owner);
  return unreachableGroup(audiences, (uuid) => known.get(uuid)?.size ?? null)?.because ?? null;
}

/** A day without an impression. */
function nothingOf(result: ForecastResult, kind: CampaignKind): DayForecast {
  const nothing = { about: 0, low: 0, high: 0 };
  return {
    ...presentDay(result, kind),
    impressions: nothing,
    spend: nothing,
    installs: kind === 're_engagement' ? null : nothing,
    cpm: null,
    win_share: 0,
    audience_share: 0,
    capped_share: null,
    limited_by: null,
  };
}

/**
 * The sources whose amounts count as revenue of the app of an ad set with Target ROAS; null for other bid strategies.
 */
async function revenueSourcesOf(
  { db }: Context,
  { companyId }: Owner,
  { algorithm, app }: AdsetRow,
): Promise<readonly RevenueSource[] | null> {
  if (algorithm !== 'Target ROAS') return null;
  return revenueSourcesBy(await eventRulesOf(db, companyId))(app.uuid);
}

/** A forecast with ranges as wide as the errors of the company's last forecasts require. */
function widenedResult(
  result: ForecastResult,
  { impressions, spend, installs }: RecordedForecasts['widening'],
  spendMaxMicros: Micros,
): ForecastResult {
  const { sameDay } = result;
  return {
    ...result,
    impressions: widened(result.impressions, impressions),
    spendMicros: widened(result.spendMicros, spend, spendMaxMicros),
    installs: widened(result.installs, installs),
    sameDay: {
      impressions: widened(sameDay.impressions, impressions),
      spendMicros: widened(sameDay.spendMicros, spend, spendMaxMicros),
      installs: widened(sameDay.installs, installs),
    },
  };
}

const spendMax = ({ dailyBudget, totalBudget, balance }: SpendLimits): Micros =>
  Math.min(dailyBudget, totalBudget, balance);

/** The row of the snapshot that the ad set would have, its creatives in review included. */
async function draftOf({ db }: Context, { companyId }: Owner, input: ForecastInput): Promise<AdsetRow> {
  const errors = [];
  const [parts, groups, campaign, audiences] = await Promise.all([
    findDraftParts(db, companyId, input.target_id),
    knownGroups(db, companyId, input.creative_group_ids),
    input.uuid === null ? undefined : findCampaign(db, companyId, input.uuid),
    loadUsedAudiences(db, [companyId]),
  ]);
  if (!parts) errors.push({ field: 'target_id', message: apiMessages.notFound('Target') });
  if (groups.length < new Set(input.creative_group_ids).size)
    errors.push({ field: 'creative_group_ids', message: apiMessages.notFound('Creative group') });
  // The sample knows the audiences of all companies.
  for (const field of ['audience_include', 'audience_exclude'] as const)
    if (input[field].flat().some((uuid) => !audiences.byUuid.has(uuid)))
      errors.push({ field, message: apiMessages.notFound('Audience') });
  const missing = missingGoal(input);
  if (missing) errors.push({ field: missing, message: goalMessages[missing] });
  if (!parts || errors.length > 0) throw new Invalid(errors);
  const app = {
    uuid: parts.appId,
    name: parts.appName,
    os: parts.os,
    bundle: parts.bundleId,
    category: parts.category,
    storeLink: parts.storeLink,
    advertiserDomain: parts.advertiserDomain,
    iconLink: parts.iconLink,
    rating: parts.rating,
  };
  return {
    adsetId: input.uuid ?? NEW_ADSET,
    companyId,
    timeZone: parts.timeZone,
    campaignId: NEW_ADSET,
    campaignName: '',
    advertiserName: parts.advertiserName,
    marginBasisPoints: parts.marginBasisPoints,
    startDate: null,
    endDate: null,
    app,
    viewUrl: '',
    algorithm: input.algo,
    cpmMicros: toMicros(input.bet_cpm),
    cpiMicros: input.bet_cpi ? toMicros(input.bet_cpi) : null,
    goal: {
      event: input.goal_event,
      cpaMicros: input.cpa ? toMicros(input.cpa) : null,
      roasPercent: input.roas,
      windowDays: input.goal_window,
      byCountry: input.goals_by_country,
    },
    dailyBudgetMicros: input.daily_budget_const ? toMicros(input.daily_budget_const) : null,
    totalBudgetMicros: input.all_budget_const ? toMicros(input.all_budget_const) : null,
    hours: input.hours,
    hoursZone: input.hours_zone,
    multipliers: input.bid_multipliers,
    countries: input.countries,
    caps: input.frequency_caps,
    campaignCaps: campaign?.caps ?? [],
    audiences:
      audiencesOfAdset(
        {
          appId: app.uuid,
          campaignKind: campaign?.kind ?? input.campaign_kind ?? 'acquisition',
          audienceInclude: input.audience_include,
          audienceExclude: input.audience_exclude,
          audienceWithoutId: input.audience_without_id,
          excludesInstalled: input.exclude_installed,
          multipliers: input.bid_multipliers,
          target: parts.target,
        },
        audiences,
      ).audiences ?? null,
    peopleWithoutId: input.people_without_id,
    blackList: input.black_list_bundles,
    whiteList: input.white_list_bundles,
    bundleCpmMicros: Object.fromEntries(
      Object.entries(input.bundle_bids).map(([bundle, dollars]) => [bundle, toMicros(dollars)]),
    ),
    target: parts.target,
    creatives: await loadDraftCreatives(db, { companyId, appUuid: parts.appId, groupUuids: groups }),
  };
}

type Budgets = Pick<ForecastInput, 'daily_budget_const' | 'all_budget_const'>;

async function limitsOf(
  ctx: Context,
  owner: Owner,
  { daily_budget_const: daily, all_budget_const: total }: Budgets,
  adsetUuid: string | null,
): Promise<SpendLimits> {
  const [balance, spent] = await Promise.all([
    availableMicros(ctx, owner.companyId),
    total && adsetUuid ? spentEver(ctx, owner, adsetUuid) : 0,
  ]);
  return {
    dailyBudget: daily ? toMicros(daily) : Infinity,
    totalBudget: total ? Math.max(0, toMicros(total) - spent) : Infinity,
    balance: Math.max(0, balance),
  };
}

async function spentEver(ctx: Context, owner: Owner, adsetUuid: string): Promise<Micros> {
  return (await spendOfAdsets(ctx, owner, [adsetUuid])).get(adsetUuid) ?? 0;
}

/** How much of the last day the running ad sets of the company had money for and no cap was reached; all of it where nothing is known. */
async function activeShares(
  { clickhouse, now }: Context,
  { companyId }: Owner,
): Promise<(adsetId: string) => number> {
  const rows = await activeSince(clickhouse, companyId, now().getTime() - DAY_MS);
  const shares = new Map(
    rows.map(({ adset, reached, active }) => [adset, reached > 0 ? active / reached : 1] as const),
  );
  return (adsetId) => shares.get(adsetId) ?? 1;
}

/**
 * Forecasts a day of a saved ad set in the background, for {@link saveForecast}; null where there is too little data.
 * Throws NotFound for the ad set, and Invalid for one that lacks a price.
 */
export async function forecastOfSaved(
  { ctx, forecaster }: { ctx: Context; forecaster: Forecaster },
  owner: Owner,
  uuid: string,
): Promise<{ result: ForecastResult; timeZone: string } | null> {
  const adset = await adsetOf(ctx, owner, uuid);
  const activeShareOf = await activeShares(ctx, owner);
  const { result, timeZone } = await forecastSaved({ ctx, forecaster }, owner, { adset, activeShareOf });
  return 'impressions' in result ? { result, timeZone } : null;
}

/** The input for a forecast of an ad set with its saved settings. */
const inputOf = (adset: Adset): ForecastInput => ({
  ...adset,
  target_id: adset.target.uuid,
  creative_group_ids: adset.creative_groups.map(({ uuid }) => uuid),
  campaign_kind: null,
});

async function forecastSaved(
  { ctx, forecaster }: { ctx: Context; forecaster: Forecaster },
  owner: Owner,
  { adset, activeShareOf }: { adset: Adset; activeShareOf: ForecastQuestion['activeShareOf'] },
): Promise<{ result: ForecastResult | TooLittle; timeZone: string }> {
  const input = inputOf(adset);
  const [row, limits] = await Promise.all([
    draftOf(ctx, owner, input),
    limitsOf(ctx, owner, input, adset.uuid),
  ]);
  const { result } = await forecaster.forecastOf(row, { activeShareOf, limits, withCurve: false });
  return { result, timeZone: row.timeZone };
}

/**
 * The figures that an ad set that ran yesterday would have had with the changes: its figures times the ratio of two
 * forecasts.
 */
async function whatIf(
  { ctx, forecaster }: ForecastDeps,
  owner: Owner,
  {
    adset,
    kind,
    draft,
    input,
    result,
    activeShareOf,
  }: {
    adset: Adset;
    kind: CampaignKind;
    draft: AdsetRow;
    input: ForecastInput;
    result: ForecastResult;
    activeShareOf: ForecastQuestion['activeShareOf'];
  },
): Promise<Forecast['what_if']> {
  // It would show the figures of yesterday as the figures of a change.
  if (isDeepStrictEqual(draft, await draftOf(ctx, owner, inputOf(adset)))) return null;
  const today = dateAt(ctx.now().getTime(), draft.timeZone);
  const date = addDays(today, -1);
  const counts = await countsOfAdsets(ctx, owner.companyId, [adset.uuid], {
    fromMs: startOfDayMs(date, draft.timeZone),
    beforeMs: startOfDayMs(today, draft.timeZone),
  });
  const actual = counts.get(adset.uuid);
  if (!actual || actual.impressions === 0) return null;
  const { result: present } = await forecastSaved({ ctx, forecaster: forecaster! }, owner, {
    adset,
    activeShareOf,
  });
  if (!('impressions' in present) || present.impressions.about === 0) return null;
  const dailyBudget = input.daily_budget_const || Infinity;
  const changed = (value: number, range: Range, was: Range): ForecastRange =>
    roundedRange(was.about > 0 ? scaled(range, value / was.about) : scaled(range, 1));
  const spend = changed(toDollars(actual.spendMicros), result.sameDay.spendMicros, present.spendMicros);
  return {
    date,
    actual: {
      impressions: actual.impressions,
      installs: actual.installs,
      spend: toDollars(actual.spendMicros),
    },
    changed: {
      impressions: changed(actual.impressions, result.sameDay.impressions, present.impressions),
      spend: {
        about: Math.min(spend.about, dailyBudget),
        low: Math.min(spend.low, dailyBudget),
        high: Math.min(spend.high, dailyBudget),
      },
      installs:
        kind === 're_engagement' ? null : changed(actual.installs, result.sameDay.installs, present.installs),
    },
  };
}

function tooLittle(product: string, { requests }: TooLittle): string {
  const seen =
    requests === 0
      ? 'no bid requests'
      : `a sample of only ${numberText(requests)} bid ${requests === 1 ? 'request' : 'requests'}`;
  return `${product} has ${seen} of the last 7 days: too few for a forecast. Once exchanges send requests, it takes about half an hour.`;
}

const SPEND_LIMITS = {
  dailyBudget: 'daily_budget',
  totalBudget: 'total_budget',
  balance: 'balance',
} as const satisfies Record<keyof SpendLimits, string>;

const LIMITS: Readonly<Record<LimitedBy, NonNullable<DayForecast['limited_by']>>> = {
  ...SPEND_LIMITS,
  countryBudget: 'country_budget',
};

const NOTHING: Readonly<Record<NothingBecause, NonNullable<DayForecast['nothing_because']>>> = {
  ...SPEND_LIMITS,
  unmatched: 'unmatched',
  audiences: 'audiences',
  noIds: 'no_ids',
  floor: 'floor',
  ownAdsets: 'own_adsets',
  outbid: 'outbid',
};

function notCounted(
  { countsCaps, audienceShare }: ForecastResult,
  { audiences, target }: AdsetRow,
  { audience_include: include, audience_exclude: exclude }: ForecastInput,
): Forecast['not_counted'] {
  // The audience of the people who have the app alone takes away little.
  const chosen = [include, exclude, target.audience_include ?? [], target.audience_exclude ?? []];
  const chooses = chosen.some(({ length }) => length > 0);
  return [
    ...(countsCaps === false ? (['frequency_caps'] as const) : []),
    ...(audiences && chooses && audienceShare === null ? (['audiences'] as const) : []),
  ];
}

function presentDay(result: ForecastResult, kind: CampaignKind): DayForecast {
  const dollars = (range: Range): ForecastRange => roundedRange(scaled(range, 1e-6));
  return {
    matching: roundedRange(result.matching),
    impressions: roundedRange(result.impressions),
    spend: dollars(result.spendMicros),
    cpm: result.cpmMicros && dollars(result.cpmMicros),
    installs: kind === 're_engagement' ? null : roundedRange(result.installs),
    win_share: rounded(result.winShare),
    audience_share: result.audienceShare === null ? null : rounded(result.audienceShare),
    capped_share: result.countsCaps ? rounded(result.cappedShare) : null,
    limited_by: result.limitedBy && LIMITS[result.limitedBy],
    nothing_because: result.nothingBecause && NOTHING[result.nothingBecause],
  };
}

function roundedRange({ about, low, high }: Range): ForecastRange {
  return { about: rounded(about), low: rounded(low), high: rounded(high) };
}

/** Three significant digits: no forecast is more exact. */
function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

function cents(dollars: number): number {
  return Math.max(0.01, Math.round(dollars * 100) / 100);
}

/** The value of an install to an ad set in the form of the API; `sources` are the revenue sources for Target ROAS, null for an event. */
function presentValue(
  { installMicros, perInstall, people, error }: ForecastValue,
  sources: readonly RevenueSource[] | null,
): PresentedValue {
  const isRevenue = sources !== null;
  return {
    install_price: significant(toDollars(installMicros)),
    per_install: significant(isRevenue ? toDollars(perInstall) : perInstall),
    source: people > 0 ? 'learned' : 'assumed',
    conversions: people,
    revenue_sources: [...(sources ?? [])],
    needed: LEARNED_CONVERSIONS,
    expected_error_percent: error === null ? null : Math.round(error * 1000) / 10,
  };
}

/** Three significant digits: no forecast is more exact. */
const significant = (value: number): number => Number(value.toPrecision(3));

/** The rows of a company, an app and a target that a forecast needs. */
async function findDraftParts(db: Db, companyId: string, targetUuid: string) {
  return db
    .selectFrom('targets')
    .innerJoin('apps', 'apps.uuid', 'targets.app_uuid')
    .innerJoin('companies', 'companies.uuid', 'targets.company_uuid')
    .select([
      'targets.settings as target',
      'companies.name as advertiserName',
      'companies.time_zone as timeZone',
      'companies.margin_basis_points as marginBasisPoints',
      'apps.uuid as appId',
      'apps.name as appName',
      'apps.os',
      'apps.bundle_id as bundleId',
      'apps.iab_category as category',
      'apps.store_link as storeLink',
      'apps.advertiser_domain as advertiserDomain',
      'apps.icon_link as iconLink',
      'apps.rating',
    ])
    .$narrowType<{ os: Os }>()
    .where('targets.company_uuid', '=', companyId)
    .where('targets.uuid', '=', targetUuid)
    .executeTakeFirst();
}

/** The kind of the campaign of an ad set: of a saved one, or the given one. */
async function kindOf(
  { db }: Context,
  { companyId }: Owner,
  { uuid, campaign_kind: given }: ForecastInput,
): Promise<CampaignKind> {
  const saved = uuid === null ? undefined : await findCampaign(db, companyId, uuid);
  return saved?.kind ?? given ?? 'acquisition';
}

/** The campaign of a saved ad set. */
async function findCampaign(db: Db, companyId: string, adsetUuid: string) {
  return db
    .selectFrom('adsets')
    .innerJoin('campaigns', 'campaigns.uuid', 'adsets.campaign_uuid')
    .select(['campaigns.frequency_caps as caps', 'campaigns.kind'])
    .where('adsets.company_uuid', '=', companyId)
    .where('adsets.uuid', '=', adsetUuid)
    .executeTakeFirst();
}

const SETTINGS: QuerySettings = { max_threads: 2, max_execution_time: 10 };

/** Requests that reached the step of the frequency caps of an ad set, and those that got past its caps and its money. */
interface ActiveRow {
  adset: string;
  reached: number;
  active: number;
}

/** The requests of each ad set of a company since an instant whose person had reached no cap, for which it had money and which pacing did not skip. */
async function activeSince(
  clickhouse: ClickHouse,
  companyId: string,
  sinceMs: number,
): Promise<readonly ActiveRow[]> {
  return clickhouse.query(
    `select adset_id as adset,
       sumIf(requests, exit in ('bid', 'outbid', 'floor', 'country_budget', 'pacing', 'daily_budget', 'total_budget', 'balance', 'no_lease', 'capped', 'no_person_key')) as reached,
       sumIf(requests, exit in ('bid', 'outbid', 'floor')) as active
     from funnel where company_id = {company:UUID} and hour >= {since:DateTime64(3, 'UTC')} and exit != 'sent'
     group by adset_id limit 10000`,
    { company: companyId, since: clickhouseTime(sinceMs) },
    'JSON',
    SETTINGS,
  );
}
