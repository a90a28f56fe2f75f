import { missingGoal } from '@bidwell/contract/adsets/missing-goal';
import type { AdsetSummary } from '@bidwell/contract/adsets/schema';
import { hoursWords } from '@bidwell/contract/adsets/hours';
import { addDays, dateAt, dateTimeAt } from '@bidwell/contract/lib/calendar';
import type { Campaign } from '@bidwell/contract/campaigns/schema';
import type { CreativeGroup } from '@bidwell/contract/creative-groups/schema';
import type { AdsetDelivery } from '@bidwell/contract/insight/delivery-report';
import type { DeliveryQuery } from '@bidwell/contract/insight/delivery-query';
import { partnerInText } from '@bidwell/contract/measurement/partners/partners';
import { type Micros, toDollars } from '@bidwell/contract/lib/money';
import type { TrackingLink } from '@bidwell/contract/tracking-links/schema';
import { isBiddingStopped, hasSigningNetwork, outcomesSince } from '../../../delivery/public.ts';
import type { Context } from '../../../context.ts';
import type { Owner } from '../../../platform/actor.ts';
import { timeZoneOf } from '../../identity/public.ts';
import { adsetsOfCompany, spendOfAdsets } from '../../campaigns/public.ts';
import { deliveryOf, runningDays } from '../delivery-report/delivery-report.ts';
import { shownCreatives } from '../shown-creatives.ts';
import {
  type AudienceInBrief,
  appsOfCompany,
  audiencesInBrief,
  groupsOfCompany,
  linksOfCompany,
  recentOutcomes,
  targetAudiences,
} from '../../catalog/public.ts';
import { unreachableGroup } from '@bidwell/contract/audiences/choice';
import { withheldOf } from '../../moderation/public.ts';
import { availableMicros } from '../../money/public.ts';
import { countForReport, periodOf, rangeOf } from '../../reporting/public.ts';
import {
  type AdsetFacts,
  type CampaignFacts,
  LEARNED_DAYS,
  type Review,
  type SigningFacts,
  type UnreachableAudiences,
  type Withheld,
} from './facts.ts';
import { withRememberedCauses } from './remembered-causes.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { daysBefore } from '../../../platform/days-before.ts';
import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { APP_EVENT_NAMES_MAX } from '@bidwell/contract/apps/event-settings';
import { anyTextOf } from '../../../platform/postgres/client.ts';
import { AD_SETS_PER_COMPANY } from '@bidwell/contract/skadnetwork/source-identifiers';

/**
 * Reads the facts of campaigns of a company; campaigns whose app was deleted are left out. Throws Invalid for dates that are not supported.
 */
export async function readFacts(
  ctx: Context,
  owner: Owner,
  campaigns: readonly Campaign[],
  query: DeliveryQuery,
): Promise<readonly CampaignFacts[]> {
  const { db } = ctx;
  const { companyId } = owner;
  const [apps, parts, available, suspended, stopped, exchanges, timeZone, outcomes, signingOf] =
    await Promise.all([
      appsOfCompany(ctx, owner),
      readParts(ctx, owner, campaigns, query),
      availableMicros(ctx, companyId),
      isSuspended(db, companyId),
      isBiddingStopped(db),
      countActiveExchanges(db),
      timeZoneOf(db, companyId),
      recentOutcomes(ctx, companyId),
      readSigning(ctx, companyId),
    ]);
  const appOf = new Map(apps.map((app) => [app.uuid, app]));
  const facts = campaigns.flatMap((campaign): CampaignFacts | [] => {
    const app = appOf.get(campaign.app_uuid);
    if (!app) return [];
    return {
      uuid: campaign.uuid,
      isActive: campaign.status === 'Active',
      startDate: campaign.start_date,
      endDate: campaign.end_date,
      startTime: campaign.start_time,
      endTime: campaign.end_time,
      today: dateAt(ctx.now().getTime(), timeZone),
      time: dateTimeAt(ctx.now().getTime(), timeZone).slice(11),
      range: { start: query.start_date, end: query.end_date },
      app: {
        uuid: app.uuid,
        name: app.name,
        review: reviewOf(app),
        addedOn: dateAt(Date.parse(app.created_at), timeZone),
        partner: partnerInText(app.mobile_measurement_partner),
      },
      isSuspended: suspended,
      available: toDollars(available),
      isBiddingStopped: stopped,
      exchanges,
      adsets: adsetFacts(campaign, parts),
      signing: app.os === 'ios' ? signingOf(app.uuid) : null,
      postbacks: outcomes(app.mobile_measurement_partner),
    };
  });
  return withRememberedCauses(ctx, facts);
}

/** Ad sets, their parts and their figures, by uuid. */
interface Parts {
  adsets: ReadonlyMap<string, AdsetSummary>;
  groups: readonly CreativeGroup[];
  links: ReadonlyMap<string, TrackingLink>;
  deliveries: ReadonlyMap<string, AdsetDelivery>;
  spend: ReadonlyMap<string, Micros>;
  ran: ReadonlyMap<string, number>;
  /** The events of goals that have arrived, by app; apps without any event are absent. */
  arrived: ReadonlyMap<string, ArrivedEvents>;
  withoutNumber: ReadonlySet<string>;
  /** Installs of the last {@link LEARNED_DAYS} days. */
  installs: ReadonlyMap<string, number>;
  withheld: ReadonlyMap<string, readonly Withheld[]>;
  audiences: KnownAudiences;
}

/** The audiences of the company, and the ones of its targets. */
interface KnownAudiences {
  byUuid: ReadonlyMap<string, AudienceInBrief>;
  ofTargets: ReadonlyMap<string, { include: string[][]; exclude: string[] }>;
}

/** The audiences of a company, unless neither its ad sets nor its targets include some. */
async function readAudiences(
  ctx: Context,
  owner: Owner,
  adsets: readonly AdsetSummary[],
): Promise<KnownAudiences> {
  const ofTargets = await targetAudiences(ctx.db, owner.companyId);
  const includesSome = ofTargets.size > 0 || adsets.some(({ audience_include: groups }) => groups.length > 0);
  return { byUuid: includesSome ? await audiencesInBrief(ctx, owner) : new Map(), ofTargets };
}

async function readParts(
  ctx: Context,
  owner: Owner,
  campaigns: readonly Campaign[],
  query: DeliveryQuery,
): Promise<Parts> {
  const uuids = campaigns.flatMap(({ adsets }) => adsets.map(({ uuid }) => uuid));
  const [report, adsets, groups, links, spend, ran, withoutNumber, installs, withheld] = await Promise.all([
    deliveryOf(ctx, owner, campaigns, query),
    adsetsOfCompany(ctx, owner),
    groupsOfCompany(ctx, owner),
    linksOfCompany(ctx, owner),
    spendOfAdsets(ctx, owner, uuids),
    runningDays(ctx, owner, uuids, query),
    adsetsWithoutNumber(ctx.db, owner.companyId),
    knownInstalls(ctx, owner, campaigns),
    withheldBy(ctx.db, owner.companyId),
  ]);
  return {
    adsets: byUuid(adsets),
    groups,
    links: byUuid(links),
    deliveries: byUuid(report.adsets),
    spend,
    ran,
    arrived: await arrivedEvents(ctx.db, owner.companyId, goalEventsOf(adsets)),
    withoutNumber,
    installs,
    withheld,
    audiences: await readAudiences(ctx, owner, adsets),
  };
}

/** Installs by ad set of the days that bidders learn from: the viewed range may be shorter. */
async function knownInstalls(
  ctx: Context,
  owner: Owner,
  campaigns: readonly Campaign[],
): Promise<ReadonlyMap<string, number>> {
  const today = dateAt(ctx.now().getTime(), await timeZoneOf(ctx.db, owner.companyId));
  const range = await rangeOf(ctx, owner, { start_date: addDays(today, 1 - LEARNED_DAYS), end_date: today });
  const rows = await countForReport(ctx, owner.companyId, {
    period: periodOf(range),
    by: ['adset'],
    filters: { campaign: campaigns.map(({ uuid }) => uuid) },
  });
  return new Map(rows.map(({ values, installs }) => [values[0]!, installs]));
}

function goalEventsOf(adsets: readonly AdsetSummary[]): string[] {
  return [...new Set(adsets.flatMap(({ goal_event: event }) => event ?? []))];
}

function hasArrived(
  { algo, goal_event: event }: Pick<AdsetSummary, 'algo' | 'goal_event'>,
  arrived: ArrivedEvents | undefined,
): boolean {
  if (algo === 'Target ROAS') return arrived !== undefined;
  return algo !== 'Target CPA' || event === null || (arrived?.names.has(event) ?? false);
}

function byUuid<Entity extends { uuid: string }>(entities: readonly Entity[]): ReadonlyMap<string, Entity> {
  return new Map(entities.map((entity) => [entity.uuid, entity]));
}

const NOTHING_BEFORE: AdsetFacts['before'] = new Set();

function adsetFacts(
  campaign: Campaign,
  {
    adsets,
    groups,
    links,
    deliveries,
    spend,
    ran,
    arrived,
    withoutNumber,
    installs,
    withheld,
    audiences,
  }: Parts,
): AdsetFacts[] {
  return campaign.adsets.flatMap(({ uuid }) => {
    const [adset, delivery] = [adsets.get(uuid), deliveries.get(uuid)];
    const link = adset && links.get(adset.tracking_link.uuid);
    // Added or removed while this was read.
    if (!adset || !delivery || !link) return [];
    return {
      uuid: adset.uuid,
      name: adset.name,
      isActive: adset.status === 'Active' && adset.archived_at === null,
      algorithm: adset.algo,
      betCpm: adset.bet_cpm,
      betCpi: adset.bet_cpi,
      cpa: adset.cpa,
      roas: adset.roas,
      missingGoal: missingGoal(adset),
      lacksAudience: campaign.kind === 're_engagement' && adset.audience_include.length === 0,
      ownAudiences: {
        include: adset.audience_include.length > 0,
        exclude: adset.audience_exclude.length > 0 || adset.exclude_installed,
        skips: adset.audience_without_id === 'skip',
      },
      unreachable: unreachableAudiences(adset, campaign, audiences),
      goalEvent: adset.algo === 'Target CPA' ? adset.goal_event : null,
      hasGoalArrived: hasArrived(adset, arrived.get(campaign.app_uuid)),
      hasAllEventNames: arrived.get(campaign.app_uuid)?.isFull ?? false,
      budgetCountries: adset.countries.flatMap(({ country, daily_budget }) =>
        daily_budget ? [country] : [],
      ),
      hours: adset.hours && hoursWords(adset.hours, adset.hours_zone),
      dailyBudget: adset.daily_budget_const,
      totalBudget: adset.all_budget_const,
      caps: adset.frequency_caps,
      campaign: { uuid: campaign.uuid, caps: campaign.frequency_caps },
      appUuid: campaign.app_uuid,
      target: { uuid: adset.target.uuid },
      link: { uuid: link.uuid, name: link.name, review: reviewOf(link) },
      creatives: shownCreatives(adset, campaign, groups).map(reviewOf),
      notApproved: shownCreatives(adset, campaign, groups).flatMap(
        ({ uuid: id, internal_creative: { name } }) => {
          const at = withheld.get(id);
          return at ? { uuid: id, creative: name, at } : [];
        },
      ),
      ranDays: ran.get(adset.uuid) ?? 0,
      before: NOTHING_BEFORE,
      lacksSourceIdentifier: withoutNumber.has(adset.uuid),
      spentEver: toDollars(spend.get(adset.uuid) ?? 0),
      delivery,
      knownInstalls: installs.get(adset.uuid) ?? 0,
      market: null,
    };
  });
}

/** The included audiences that let no bid of an ad set through: its own, or its target's. */
function unreachableAudiences(
  adset: AdsetSummary,
  { kind, app_uuid: appUuid }: Campaign,
  { byUuid: audiences, ofTargets }: KnownAudiences,
): UnreachableAudiences | null {
  const target = ofTargets.get(adset.target.uuid) ?? { include: [], exclude: [] };
  const leavesOut = adset.exclude_installed && kind === 'acquisition';
  const installed = [...audiences].flatMap(([uuid, { installedApp }]) =>
    leavesOut && installedApp === appUuid ? [uuid] : [],
  );
  const found = unreachableGroup(
    {
      include: [...adset.audience_include, ...target.include],
      exclude: [...adset.audience_exclude, ...target.exclude, ...installed],
    },
    (uuid) => audiences.get(uuid)?.size ?? null,
  );
  if (!found || found.because === 'unknown') return null;
  const isIn = (list: readonly string[]) => found.group.every((uuid) => list.includes(uuid));
  const isListed = isIn([...adset.audience_exclude, ...target.exclude]);
  return {
    because: found.because === 'empty' ? 'empty' : isListed ? 'excluded' : 'installed',
    names: found.group.map((uuid) => audiences.get(uuid)?.name ?? ''),
    includedBy: adset.audience_include.includes(found.group as string[]) ? 'adset' : 'target',
    excludedBy: isIn(target.exclude) && !isIn(adset.audience_exclude) ? 'target' : 'adset',
  };
}

/** The exchanges that have not approved creatives of a company, by creative. */
export async function withheldBy(
  db: Db,
  companyId: string,
): Promise<ReadonlyMap<string, readonly Withheld[]>> {
  return groupBy(await withheldOf(db, companyId), ({ creative }) => creative);
}

/** An approved version runs while the present one is in review or rejected. */
export function reviewOf({
  status,
  approved_version: approved,
}: {
  status: Review;
  approved_version: unknown;
}): Review {
  return approved === null ? status : 'Approved';
}

/** Days, with today, whose requests are counted. */
const COUNTED_DAYS = 7;

/** How bids of a company's iOS apps are signed, by app. */
async function readSigning(
  { db, now }: Pick<Context, 'db' | 'now'>,
  companyId: string,
): Promise<(appUuid: string) => SigningFacts> {
  const since = daysBefore(now(), COUNTED_DAYS - 1)
    .toISOString()
    .slice(0, 10);
  const [hasNetwork, apps, switches, counts] = await Promise.all([
    hasSigningNetwork(db),
    appsWithSignedBids(db, companyId),
    listExchangeSigning(db),
    outcomesSince(db, since),
  ]);
  const exchanges = switches.map(({ slug, name, isOn }) => {
    const own = counts.filter((one) => one.slug === slug);
    return {
      name,
      isOn,
      outcomes: Object.fromEntries(own.map(({ outcome, requests }) => [outcome, requests])),
    };
  });
  return (appUuid) => ({ hasNetwork, isAppOn: apps.has(appUuid), exchanges });
}

/** The company's apps whose bids are signed: switched on for the number in the store of the version that runs. */
async function appsWithSignedBids(db: Db, companyId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('skadnetwork_apps')
    .innerJoin('apps', 'apps.uuid', 'skadnetwork_apps.app_uuid')
    .select('app_uuid')
    .where('skadnetwork_apps.company_uuid', '=', companyId)
    .where(
      sql<boolean>`skadnetwork_apps.item_id = store_item_of('ios', coalesce(apps.approved ->> 'store_link', apps.store_link))`,
    )
    .execute();
  return new Set(rows.map(({ app_uuid: uuid }) => uuid));
}

/** The exchanges that are on, by name, and whether bids with them are signed. */
async function listExchangeSigning(db: Db): Promise<{ slug: string; name: string; isOn: boolean }[]> {
  return db
    .selectFrom('ssps')
    .leftJoin('skadnetwork_exchanges', 'skadnetwork_exchanges.slug', 'ssps.slug')
    .select(['ssps.slug', 'ssps.name', sql<boolean>`skadnetwork_exchanges.slug is not null`.as('isOn')])
    .where('ssps.active', '=', true)
    .orderBy('ssps.name')
    .orderBy('ssps.slug')
    .execute();
}

/** Whether a company is suspended. */
async function isSuspended(db: Db, companyId: string): Promise<boolean> {
  const row = await db
    .selectFrom('companies')
    .select('suspended_at')
    .where('uuid', '=', companyId)
    .executeTakeFirstOrThrow();
  return row.suspended_at !== null;
}

/** Number of exchanges that are on. */
async function countActiveExchanges(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('ssps')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('active', '=', true)
    .executeTakeFirstOrThrow();
  return count;
}

/** The events of an app that have arrived, out of some names. */
interface ArrivedEvents {
  names: ReadonlySet<string>;
  /** Whether the app has as many names of events as are counted, so that no further one is. */
  isFull: boolean;
}

/** The events among `names` that have arrived for each app of a company; apps without any event are absent. */
async function arrivedEvents(
  db: Db,
  companyId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, ArrivedEvents>> {
  const rows = await db
    .selectFrom('app_event_names')
    .select([
      'app_uuid',
      sql<boolean>`count(*) >= ${APP_EVENT_NAMES_MAX}`.as('isFull'),
      sql<string[] | null>`array_agg(name) filter (where name = ${anyTextOf(names)})`.as('names'),
    ])
    .where('company_uuid', '=', companyId)
    .groupBy('app_uuid')
    .execute();
  return new Map(
    rows.map(({ app_uuid: app, names: came, isFull }) => [app, { names: new Set(came), isFull }]),
  );
}

/** The company's active ad sets of apps with signed bids that have no source identifier, because their app in the store has none left. */
async function adsetsWithoutNumber(db: Db, companyId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('skadnetwork_apps')
    .innerJoin('campaigns', 'campaigns.app_uuid', 'skadnetwork_apps.app_uuid')
    .innerJoin('adsets', 'adsets.campaign_uuid', 'campaigns.uuid')
    .select('adsets.uuid')
    .where('skadnetwork_apps.company_uuid', '=', companyId)
    .where('adsets.status', '=', 'Active')
    .where('campaigns.status', '=', 'Active')
    .where((eb) => {
      const numbers = eb
        .selectFrom('source_identifiers')
        .whereRef('source_identifiers.item_id', '=', 'skadnetwork_apps.item_id')
        .where('source_identifiers.released_at', 'is', null);
      return eb.and([
        eb(numbers.select(sql<number>`count(*)::int`.as('count')), '>=', AD_SETS_PER_COMPANY),
        eb.not(
          eb.exists(
            numbers
              .select('source_identifiers.uuid')
              .whereRef('source_identifiers.adset_uuid', '=', 'adsets.uuid'),
          ),
        ),
      ]);
    })
    .execute();
  return new Set(rows.map(({ uuid }) => uuid));
}
