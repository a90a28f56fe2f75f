import type { Db } from '../../platform/postgres/transaction.ts';

/** Where a click of an ad set goes. */
export interface Destination {
  clickUrl: string;
  campaignName: string;
}

/** The destination of an ad set's clicks; null when the ad set is gone. */
export async function findDestination(
  db: Db,
  companyId: string,
  ids: { adsetId: string; campaignId: string },
): Promise<Destination | null> {
  const row = await db
    .selectFrom('adsets')
    .innerJoin('tracking_links', 'tracking_links.uuid', 'adsets.tracking_link_uuid')
    .leftJoin('campaigns', (join) =>
      join.on('campaigns.uuid', '=', ids.campaignId).on('campaigns.company_uuid', '=', companyId),
    )
    .select(['tracking_links.click_url', 'campaigns.name as campaign_name'])
    .where('adsets.company_uuid', '=', companyId)
    .where('adsets.uuid', '=', ids.adsetId)
    .executeTakeFirst();
  return row ? { clickUrl: row.click_url, campaignName: row.campaign_name ?? '' } : null;
}

/** The company behind a postback's secret: the look-up that finds the company cannot name it. */
export async function findCompanyByPostbackSecret(db: Db, secret: string): Promise<string | null> {
  const row = await db
    .selectFrom('companies')
    .select('uuid')
    .where('postback_secret', '=', secret)
    .executeTakeFirst();
  return row?.uuid ?? null;
}
