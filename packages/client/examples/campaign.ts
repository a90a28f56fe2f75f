import { readFile } from 'node:fs/promises';
import type { BidwellClient, DataOf } from '../src/client.ts';

/** The parts of a campaign. */
export interface CampaignPlan {
  app: {
    name: string;
    bundleId: string;
    /** Domain of the developer, as in app-ads.txt. */
    domain: string;
  };
  /** Path of a PNG or JPEG in one of the sizes that `listBannerResolutions` answers. */
  banner: string;
  /** Addresses of the measurement partner for clicks and impressions, with the macro {click_id}. */
  clickUrl: string;
  viewUrl: string;
  countries: string[];
  /** Dollars per thousand impressions, and per day. */
  cpm: number;
  dailyBudget: number;
}

/**
 * Makes a campaign from an app to an ad set, paused until it is started. Needs a key with the scopes `campaigns` and `creatives`.
 * Throws BidwellError.
 */
export async function createCampaign(
  bidwell: BidwellClient,
  { app: { name, bundleId, domain }, banner, clickUrl, viewUrl, countries, cpm, dailyBudget }: CampaignPlan,
): Promise<DataOf<'createCampaign'>> {
  const app = await bidwell.createApp({
    body: {
      name,
      os: 'android',
      store_link: `https://play.google.com/store/apps/details?id=${bundleId}`,
      bundle_id: bundleId,
      mobile_measurement_partner: 'appsflyer',
      iab_category: 'IAB9-30',
      advertiser_domain: domain,
    },
  });
  const group = await uploadBanner(bidwell, app.uuid, banner);
  const link = await bidwell.createTrackingLink({
    body: { app_id: app.uuid, name: 'AppsFlyer', click_url: clickUrl, view_url: viewUrl },
  });
  const target = await bidwell.createTarget({
    body: { app_id: app.uuid, name: countries.join(', '), location_include: countries },
  });
  const adset = await bidwell.createAdset({
    body: {
      name: `${name}, banners`,
      target_id: target.uuid,
      tracking_link_id: link.uuid,
      creative_group_ids: [group.uuid],
      algo: 'Manual CPM',
      bet_cpm: cpm,
      daily_budget_const: dailyBudget,
    },
  });
  return bidwell.createCampaign({
    body: { name, app_uuid: app.uuid, adset_uuids: [adset.uuid] },
  });
}

async function uploadBanner(bidwell: BidwellClient, appUuid: string, path: string) {
  const form = new FormData();
  form.append('app_id', appUuid);
  form.append('type', 'Banner');
  form.append('name', 'Banner');
  form.append('banner', new Blob([await readFile(path)]), path.split('/').at(-1));
  const creative = await bidwell.uploadCreative({ form });
  return bidwell.createCreativeGroup({ body: { name: 'Banners', banner_creatives: [creative.uuid] } });
}

/** Spend in dollars of each campaign in a range of days. Needs a key with the scope `reports` or `read`. Throws BidwellError. */
export async function spendByCampaign(
  bidwell: BidwellClient,
  days: { start_date: string; end_date: string },
): Promise<Map<string, number>> {
  const { rows } = await bidwell.reportByLevels({
    body: { ...days, levels: { campaign: '' }, metrics: ['spends'] },
  });
  return new Map(rows.map(({ name, spends = 0 }) => [name, spends]));
}
