import type { Os } from '@bidwell/contract/app';
import type { Micros } from '@bidwell/contract/money';
import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

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

/** The ids of the company's creative groups among `uuids`. */
export async function knownGroups(db: Db, companyId: string, uuids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('creative_groups')
    .select('uuid')
    .where('company_uuid', '=', companyId)
    .where('uuid', 'in', uuids)
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** What an ad set of the company has spent in all, micros. */
export async function spentEver(db: Db, companyId: string, adsetUuid: string): Promise<Micros> {
  const row = await db
    .selectFrom('adset_spend')
    .select('ever_micros')
    .where('company_uuid', '=', companyId)
    .where('adset_uuid', '=', adsetUuid)
    .executeTakeFirst();
  return row?.ever_micros ?? 0;
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

/** What an ad set got between two instants. */
export interface AdsetOutcome {
  impressions: number;
  installs: number;
  spendMicros: Micros;
}

/** What ad sets of a company got between two instants; those without events are absent. */
export async function outcomesOfAdsets(
  clickhouse: ClickHouse,
  {
    companyId,
    adsetUuids,
    fromMs,
    beforeMs,
  }: { companyId: string; adsetUuids: readonly string[]; fromMs: number; beforeMs: number },
): Promise<ReadonlyMap<string, AdsetOutcome>> {
  const rows = await clickhouse.query<AdsetOutcome & { adset: string }>(
    `select adset_id as adset, countIf(kind = 'impression' and mark = '') as impressions,
       countIf(kind = 'install' and mark = '') - countIf(kind = 'install_rejected' and mark = '') as installs,
       sum(spend_micros) as spendMicros
     from events where company_id = {company:UUID} and adset_id in {adsets:Array(UUID)} and test = 0
       and time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
     group by adset_id`,
    {
      company: companyId,
      adsets: adsetUuids,
      from: clickhouseTime(fromMs),
      before: clickhouseTime(beforeMs),
    },
    'JSON',
    SETTINGS,
  );
  return new Map(rows.map(({ adset, ...outcome }) => [adset, outcome]));
}
