import type { ModerationStatus } from '@bidwell/contract/app';
import type { Db } from '../../platform/postgres/transaction.ts';
import type { AdsetRow, BannerCreative } from './types.ts';

const approved: ModerationStatus = 'Approved';

/**
 * The ad sets that may bid, of all companies: active ones of active campaigns, with an approved app, of companies that
 * are not suspended. Like everything the bidder reads, it crosses companies and reaches none of them.
 */
export async function loadAdsets(db: Db): Promise<AdsetRow[]> {
  const rows = await db
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
      'campaigns.uuid as campaignId',
      'campaigns.name as campaignName',
      'campaigns.start_date as startDate',
      'campaigns.end_date as endDate',
      'apps.uuid as appId',
      'apps.os',
      'apps.bundle_id as bundleId',
      'apps.iab_category as category',
      'apps.store_link as storeLink',
      'tracking_links.view_url as viewUrl',
      'adsets.algo as algorithm',
      'adsets.bet_cpm_micros as cpmMicros',
      'adsets.bet_cpi_micros as cpiMicros',
      'adsets.daily_budget_micros as dailyBudgetMicros',
      'adsets.all_budget_micros as totalBudgetMicros',
      'adsets.black_list_bundles as blackList',
      'adsets.white_list_bundles as whiteList',
      'adsets.bundle_bids as bundleCpmMicros',
      'targets.settings as target',
    ])
    .where('adsets.status', '=', 'Active')
    .where('campaigns.status', '=', 'Active')
    .where('apps.status', '=', approved)
    .where('apps.deleted_at', 'is', null)
    .where('companies.suspended_at', 'is', null)
    .execute();
  const banners = await loadBanners(db);
  return rows.map(({ appId, os, bundleId, category, storeLink, ...row }) => ({
    ...row,
    app: { uuid: appId, os, bundle: bundleId, category, storeLink },
    banners: banners.get(row.adsetId) ?? [],
  }));
}

async function loadBanners(db: Db): Promise<Map<string, BannerCreative[]>> {
  const rows = await db
    .selectFrom('adset_creative_groups')
    .innerJoin('adsets', 'adsets.uuid', 'adset_creative_groups.adset_uuid')
    .innerJoin('campaigns', 'campaigns.uuid', 'adsets.campaign_uuid')
    .innerJoin('creative_groups', 'creative_groups.uuid', 'adset_creative_groups.creative_group_uuid')
    .innerJoin(
      'creative_group_creatives',
      'creative_group_creatives.creative_group_uuid',
      'creative_groups.uuid',
    )
    .innerJoin('creatives', 'creatives.uuid', 'creative_group_creatives.creative_uuid')
    .innerJoin('internal_creatives', 'internal_creatives.uuid', 'creatives.internal_creative_uuid')
    .innerJoin('files', 'files.uuid', 'internal_creatives.banner_file_uuid')
    .select([
      'adsets.uuid as adsetId',
      'creatives.uuid',
      'creative_groups.uuid as groupUuid',
      'files.uuid as fileUuid',
      'files.extension',
      'files.width',
      'files.height',
    ])
    .where('adsets.status', '=', 'Active')
    .where('campaigns.status', '=', 'Active')
    // A group may hold creatives of several apps.
    .whereRef('creatives.app_uuid', '=', 'campaigns.app_uuid')
    .where('creative_groups.paused', '=', false)
    .where('creatives.status', '=', approved)
    .where('internal_creatives.type', '=', 'Banner')
    .execute();
  const byAdset = new Map<string, BannerCreative[]>();
  for (const { adsetId, width, height, ...banner } of rows) {
    if (!width || !height) continue;
    const banners = byAdset.get(adsetId) ?? [];
    banners.push({ ...banner, width, height });
    byAdset.set(adsetId, banners);
  }
  return byAdset;
}

/** An exchange that sends us bid requests. */
export interface Ssp {
  slug: string;
  chargeOn: 'billing' | 'win';
}

/** The exchanges that may. */
export async function loadSsps(db: Db): Promise<Ssp[]> {
  return db.selectFrom('ssps').select(['slug', 'charge_on as chargeOn']).where('active', '=', true).execute();
}

/** The time zone of every company, for the day in which spend falls. */
export async function loadTimeZones(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom('companies').select(['uuid', 'time_zone']).execute();
  return new Map(rows.map((row) => [row.uuid, row.time_zone]));
}
