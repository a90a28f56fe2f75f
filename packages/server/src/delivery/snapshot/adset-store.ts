import type { Os } from '@bidwell/contract/apps/fields';
import { redactSecrets } from '@bidwell/contract/postbacks/schema';
import { appendTo } from '../../platform/group-by.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import { lacksGoal } from './missing-goal-store.ts';
import type { AdsetRow } from '../model/candidate.ts';
import { loadSourceIdentifiers } from '../skadnetwork/networks.ts';
import { approvedText, isApproved, approvedItemId, creativesKey, loadCreatives } from './creative-store.ts';
import { audiencesOfAdset, loadUsedAudiences } from './audience-store.ts';
import { sql } from 'kysely';

/**
 * Loads the ad sets that may bid, by company: active ad sets of active campaigns, with an approved app and tracking link,
 * nothing archived, of companies that are not suspended. Ad sets with the same app or creative share its object. Spans
 * companies, like everything the bidder reads; no company sees the result.
 */
export async function loadAdsets(db: Db, companyIds: readonly string[]): Promise<Map<string, AdsetRow[]>> {
  const rows = await selectAdsets(db, companyIds);
  const groups = await loadGroups(db, companyIds);
  const creatives = await loadCreatives(db, companyIds);
  const audiences = await loadUsedAudiences(db, companyIds);
  // After the ad sets: a number that was taken away meanwhile is then not bid with any more.
  const numbers = await loadSourceIdentifiers(db, companyIds);
  const apps = new Map<string, AdsetRow['app']>();
  const byCompany = new Map<string, AdsetRow[]>();
  for (const row of rows) {
    const app = apps.get(row.appId) ?? appOf(row);
    apps.set(row.appId, app);
    const groupIds = groups.get(row.adsetId) ?? [];
    const sourceIdentifiers = numbers.get(row.adsetId);
    appendTo(byCompany, row.companyId, {
      ...adsetOf(row),
      app,
      ...(sourceIdentifiers && { sourceIdentifiers }),
      ...audiencesOfAdset(row, audiences),
      creatives: groupIds.flatMap((group) => creatives.get(creativesKey(group, row.appId)) ?? []),
    });
  }
  return byCompany;
}

type SelectedAdset = Awaited<ReturnType<typeof selectAdsets>>[number];

function appOf(row: SelectedAdset): AdsetRow['app'] {
  return {
    uuid: row.appId,
    name: row.appName,
    os: row.os,
    bundle: row.bundleId,
    category: row.category,
    storeLink: row.storeLink,
    advertiserDomain: row.advertiserDomain,
    iconLink: row.iconLink,
    rating: row.rating,
  };
}

function adsetOf(row: SelectedAdset): Omit<AdsetRow, 'app' | 'creatives'> {
  const secrets = [row.postbackSecret, row.previousSecret ?? ''];
  return {
    adsetId: row.adsetId,
    companyId: row.companyId,
    timeZone: row.timeZone,
    advertiserName: row.advertiserName,
    marginBasisPoints: row.marginBasisPoints,
    campaignId: row.campaignId,
    campaignName: row.campaignName,
    ...(row.campaignKind === 're_engagement' && { reEngagement: true }),
    startDate: row.startDate,
    endDate: row.endDate,
    startTime: row.startTime,
    endTime: row.endTime,
    algorithm: row.algorithm,
    cpmMicros: row.cpmMicros,
    cpiMicros: row.cpiMicros,
    goal: {
      event: row.goalEvent,
      cpaMicros: row.cpaMicros,
      roasPercent: row.roasPercent,
      windowDays: row.goalWindowDays,
      byCountry: row.goalsByCountry,
    },
    caps: row.caps,
    campaignCaps: row.campaignCaps,
    peopleWithoutId: row.peopleWithoutId,
    deepLink: row.deepLink === null ? null : redactSecrets(row.deepLink, secrets),
    productPageId: row.productPageId,
    overlay: row.overlay,
    hours: row.hours,
    hoursZone: row.hoursZone,
    multipliers: row.multipliers,
    countries: row.countries,
    dailyBudgetMicros: row.dailyBudgetMicros,
    totalBudgetMicros: row.totalBudgetMicros,
    blackList: row.blackList,
    whiteList: row.whiteList,
    bundleCpmMicros: row.bundleCpmMicros,
    target: row.target,
    // Devices receive these URLs in the markup.
    clickUrl: redactSecrets(row.clickUrl, secrets),
    viewUrl: redactSecrets(row.viewUrl, secrets),
  };
}

function selectAdsets(db: Db, companyIds: readonly string[]) {
  return (
    db
      .selectFrom('adsets')
      .innerJoin('campaigns', 'campaigns.uuid', 'adsets.campaign_uuid')
      .innerJoin('companies', 'companies.uuid', 'adsets.company_uuid')
      .innerJoin('apps', 'apps.uuid', 'campaigns.app_uuid')
      .innerJoin('targets', 'targets.uuid', 'adsets.target_uuid')
      .innerJoin('tracking_links', 'tracking_links.uuid', 'adsets.tracking_link_uuid')
      .select([
        'adsets.uuid as adsetId',
        'adsets.company_uuid as companyId',
        'companies.time_zone as timeZone',
        'companies.name as advertiserName',
        'companies.margin_basis_points as marginBasisPoints',
        'campaigns.uuid as campaignId',
        'campaigns.name as campaignName',
        'campaigns.kind as campaignKind',
        'campaigns.start_date as startDate',
        'campaigns.end_date as endDate',
        'campaigns.start_time as startTime',
        'campaigns.end_time as endTime',
        'apps.uuid as appId',
        approvedText('apps', 'name').as('appName'),
        approvedText<string | null>('apps', 'icon_link').as('iconLink'),
        'apps.rating',
        approvedText<Os>('apps', 'os').as('os'),
        approvedText('apps', 'bundle_id').as('bundleId'),
        'apps.iab_category as category',
        approvedText('apps', 'store_link').as('storeLink'),
        'apps.advertiser_domain as advertiserDomain',
        'tracking_links.click_url as clickUrl',
        'tracking_links.view_url as viewUrl',
        'companies.postback_secret as postbackSecret',
        'companies.postback_secret_previous as previousSecret',
        'adsets.algo as algorithm',
        'adsets.bet_cpm_micros as cpmMicros',
        'adsets.bet_cpi_micros as cpiMicros',
        'adsets.goal_event as goalEvent',
        'adsets.cpa_micros as cpaMicros',
        'adsets.roas_percent as roasPercent',
        'adsets.goal_window_days as goalWindowDays',
        'adsets.goals_by_country as goalsByCountry',
        'adsets.frequency_caps as caps',
        'campaigns.frequency_caps as campaignCaps',
        'adsets.people_without_id as peopleWithoutId',
        'adsets.deep_link as deepLink',
        'adsets.product_page_id as productPageId',
        'adsets.overlay',
        'adsets.hours',
        'adsets.hours_zone as hoursZone',
        'adsets.bid_multipliers as multipliers',
        'adsets.countries',
        'adsets.audience_include as audienceInclude',
        'adsets.audience_exclude as audienceExclude',
        'adsets.audience_without_id as audienceWithoutId',
        'adsets.exclude_installed as excludesInstalled',
        'adsets.daily_budget_micros as dailyBudgetMicros',
        'adsets.all_budget_micros as totalBudgetMicros',
        'adsets.black_list_bundles as blackList',
        'adsets.white_list_bundles as whiteList',
        'adsets.bundle_bids as bundleCpmMicros',
        'targets.settings as target',
      ])
      .where('adsets.status', '=', 'Active')
      .where('campaigns.status', '=', 'Active')
      // An ad set may lack its goal when it was added to a running campaign.
      .where((eb) => eb.not(lacksGoal()))
      // An ad set of a re-engagement campaign may lose its audience while it runs.
      .where(sql<boolean>`(campaigns.kind = 'acquisition' or adsets.audience_include <> '[]')`)
      .where(isApproved('apps'))
      .where(isApproved('tracking_links'))
      .where('apps.deleted_at', 'is', null)
      .where('apps.archived_at', 'is', null)
      .where('adsets.archived_at', 'is', null)
      .where('campaigns.archived_at', 'is', null)
      .where('targets.archived_at', 'is', null)
      .where('tracking_links.archived_at', 'is', null)
      .where('companies.suspended_at', 'is', null)
      .where('adsets.company_uuid', 'in', companyIds)
      .execute()
  );
}

/** Most ad sets that {@link adsetsOfReEngagement} returns. */
const RE_ENGAGEMENT_ADSETS_MAX = 20_000;

/** The ad sets of re-engagement campaigns, from whose history installs are not learned. Spans companies, as {@link loadAdsets}. */
export async function adsetsOfReEngagement(db: Db): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('campaigns')
    .innerJoin('adsets', 'adsets.campaign_uuid', 'campaigns.uuid')
    .select('adsets.uuid')
    .where('campaigns.kind', '=', 're_engagement')
    .orderBy('adsets.uuid', 'desc')
    .limit(RE_ENGAGEMENT_ADSETS_MAX)
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Ids of the creative groups of each ad set. */
async function loadGroups(db: Db, companyIds: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('adset_creative_groups')
    .innerJoin('adsets', 'adsets.uuid', 'adset_creative_groups.adset_uuid')
    .select(['adset_uuid as adsetId', 'creative_group_uuid as groupId'])
    .where('adsets.status', '=', 'Active')
    .where('adsets.company_uuid', 'in', companyIds)
    .execute();
  const byAdset = new Map<string, string[]>();
  for (const { adsetId, groupId } of rows) appendTo(byAdset, adsetId, groupId);
  return byAdset;
}

/** An ad set that may bid, of an app with signed bids. */
interface UnnumberedAdset {
  adsetId: string;
  companyId: string;
  /** The number of its app in the store. */
  itemId: number;
}

/**
 * Ad sets that may bid, of apps with signed bids, that have no source identifier, or one of another app in the store. Spans companies, for
 * the job that gives them out. They have no order, so that ad sets for which no number is left do not keep out others.
 */
export async function unnumberedAdsets(db: Db, limit: number): Promise<UnnumberedAdset[]> {
  return db
    .selectFrom('skadnetwork_apps')
    .innerJoin('apps', 'apps.uuid', 'skadnetwork_apps.app_uuid')
    .innerJoin('campaigns', 'campaigns.app_uuid', 'apps.uuid')
    .innerJoin('adsets', 'adsets.campaign_uuid', 'campaigns.uuid')
    .innerJoin('companies', 'companies.uuid', 'adsets.company_uuid')
    .select([
      'adsets.uuid as adsetId',
      'adsets.company_uuid as companyId',
      'skadnetwork_apps.item_id as itemId',
    ])
    .where(isApproved('apps'))
    .where('apps.deleted_at', 'is', null)
    .where('apps.archived_at', 'is', null)
    .where('adsets.status', '=', 'Active')
    .where('adsets.archived_at', 'is', null)
    .where('campaigns.status', '=', 'Active')
    .where('campaigns.archived_at', 'is', null)
    .where('companies.suspended_at', 'is', null)
    .where((eb) => eb.not(lacksGoal()))
    .whereRef('skadnetwork_apps.item_id', '=', approvedItemId())
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('source_identifiers')
            .select('source_identifiers.uuid')
            .whereRef('source_identifiers.adset_uuid', '=', 'adsets.uuid')
            .whereRef('source_identifiers.item_id', '=', 'skadnetwork_apps.item_id')
            .where('source_identifiers.released_at', 'is', null),
        ),
      ),
    )
    .orderBy(sql`random()`)
    .limit(limit)
    .execute();
}

/** A company. `version` changes with every change of its data. */
export interface Company {
  uuid: string;
  timeZone: string;
  version: string | null;
}

/** Loads all companies. */
export async function loadCompanies(db: Db): Promise<Company[]> {
  return db
    .selectFrom('companies')
    .leftJoin('company_versions', 'company_versions.company_uuid', 'companies.uuid')
    .select(['companies.uuid', 'companies.time_zone as timeZone', 'company_versions.version'])
    .execute();
}
