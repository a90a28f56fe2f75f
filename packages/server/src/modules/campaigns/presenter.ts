import type { AppSummary } from '@bidwell/contract/apps/schema';
import type { Campaign } from '@bidwell/contract/campaigns/schema';
import { appsOf } from '../catalog/public.ts';
import { presentTimes } from '../../platform/postgres/stores/owned-store.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import type { LoggedFields } from '../changes/public.ts';
import {
  type CampaignAdsetRow,
  type CampaignReviewRow,
  type CampaignRow,
  adsetsOfCampaigns,
  reviewsOfCampaigns,
} from './store.ts';

/** Converts campaign rows, with their apps, ad sets and reviews, to response bodies, in the given order. */
export async function presentCampaigns(
  db: Db,
  companyId: string,
  rows: readonly CampaignRow[],
): Promise<Campaign[]> {
  const campaignUuids = rows.map((row) => row.uuid);
  const [appOf, adsetRows, reviewRows] = await Promise.all([
    appsOf(db, companyId, rows),
    adsetsOfCampaigns(db, companyId, campaignUuids),
    reviewsOfCampaigns(db, companyId, campaignUuids),
  ]);
  const reviews = new Map(reviewRows.map((review) => [review.campaign_uuid, review]));
  const adsets = new Map<string | null, CampaignAdsetRow[]>(campaignUuids.map((uuid) => [uuid, []]));
  for (const adset of adsetRows) adsets.get(adset.campaign_uuid)?.push(adset);
  return rows.map((row) => presentRow(row, appOf(row), adsets.get(row.uuid) ?? [], reviews.get(row.uuid)));
}

/** {@link presentCampaigns} for one row. */
export async function presentCampaign(db: Db, companyId: string, row: CampaignRow): Promise<Campaign> {
  const [campaign] = await presentCampaigns(db, companyId, [row]);
  return campaign!;
}

/** Fields of a campaign that the change log compares. */
export function logged({ app, app_uuid: _app, in_review: _review, ...campaign }: Campaign): LoggedFields {
  // Without the status of ad sets, whose changes are logged for the ad sets.
  const adsets = campaign.adsets.map(({ uuid, name }) => ({ uuid, name }));
  return { ...campaign, app: { uuid: app.uuid, name: app.name }, adsets };
}

function presentRow(
  row: CampaignRow,
  app: AppSummary,
  adsets: readonly CampaignAdsetRow[],
  review: CampaignReviewRow | undefined,
): Campaign {
  return {
    uuid: row.uuid,
    kind: row.kind,
    name: row.name,
    description: row.description,
    app_uuid: app.uuid,
    app,
    start_date: row.start_date,
    end_date: row.end_date,
    start_time: row.start_time,
    end_time: row.end_time,
    frequency_caps: row.frequency_caps,
    status: row.status,
    start_when_approved: row.start_when_approved,
    adsets: adsets.map(({ uuid, name, status }) => ({ uuid, name, status })),
    in_review: {
      app: review?.app ?? false,
      creatives: review?.creatives ?? 0,
      tracking_links: review?.tracking_links ?? 0,
    },
    ...presentTimes(row),
  };
}
