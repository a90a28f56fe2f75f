import type { Os } from '@bidwell/contract/apps/schema';
import type { ClickHouse, QuerySettings } from '../../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** What a forecast needs of a company, an app and a target. */
export async function findDraftParts(db: Db, companyId: string, targetUuid: string) {
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

const SETTINGS: QuerySettings = { max_threads: 2, max_execution_time: 10 };

/** Requests that reached the step of the money of an ad set, and those that got past it. */
export interface ActiveRow {
  adset: string;
  reached: number;
  active: number;
}

/** For each ad set of a company, the requests since an instant for which it had money and was not paced away. */
export async function activeSince(
  clickhouse: ClickHouse,
  companyId: string,
  sinceMs: number,
): Promise<readonly ActiveRow[]> {
  return clickhouse.query(
    `select adset_id as adset,
       sumIf(requests, exit in ('bid', 'outbid', 'floor', 'pacing', 'daily_budget', 'total_budget', 'balance', 'no_lease')) as reached,
       sumIf(requests, exit in ('bid', 'outbid', 'floor')) as active
     from funnel where company_id = {company:UUID} and hour >= {since:DateTime64(3, 'UTC')} and exit != 'sent'
     group by adset_id limit 10000`,
    { company: companyId, since: clickhouseTime(sinceMs) },
    'JSON',
    SETTINGS,
  );
}
