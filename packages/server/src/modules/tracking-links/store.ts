import type { Selectable } from 'kysely';
import type { TrackingLinkTable } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

export type TrackingLinkRow = Selectable<TrackingLinkTable>;

/** Tracking links of an app. */
export async function linksOfApp(
  db: Db,
  companyId: string,
  appUuid: string,
): Promise<Pick<TrackingLinkRow, 'status' | 'click_url' | 'approved'>[]> {
  return db
    .selectFrom('tracking_links')
    .select(['status', 'click_url', 'approved'])
    .where('company_uuid', '=', companyId)
    .where('app_uuid', '=', appUuid)
    .execute();
}
