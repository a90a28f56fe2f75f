import type { Mmp } from '@bidwell/contract/apps/schema';
import type { Selectable } from 'kysely';
import { anyOf } from '../../../platform/postgres/client.ts';
import type { TrackingLinkTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

export type TrackingLinkRow = Selectable<TrackingLinkTable>;

/** A tracking link with its app. */
export interface LinkWithApp {
  uuid: string;
  name: string;
  app: { uuid: string; name: string; mobile_measurement_partner: Mmp };
}

/** Some tracking links of a company with their apps. */
export async function findLinksWithApps(
  db: Db,
  companyId: string,
  uuids: readonly string[],
): Promise<LinkWithApp[]> {
  const rows = await db
    .selectFrom('tracking_links')
    .innerJoin('apps', 'apps.uuid', 'tracking_links.app_uuid')
    .select([
      'tracking_links.uuid',
      'tracking_links.name',
      'apps.uuid as appUuid',
      'apps.name as appName',
      'apps.mobile_measurement_partner as mmp',
    ])
    .where('tracking_links.company_uuid', '=', companyId)
    .where('tracking_links.uuid', '=', anyOf(uuids))
    .execute();
  return rows.map(({ uuid, name, appUuid, appName, mmp }) => ({
    uuid,
    name,
    app: { uuid: appUuid, name: appName, mobile_measurement_partner: mmp },
  }));
}

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
