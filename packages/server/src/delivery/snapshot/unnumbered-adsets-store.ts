import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';
import { approvedText } from './approved-version-store.ts';

/** An ad set that may bid, of an app with signed bids. */
export interface UnnumberedAdset {
  adsetId: string;
  companyId: string;
  storeLink: string;
  /** Numbers of the store for which it has a source identifier: the app's may have changed since. */
  itemIds: number[];
}

/**
 * Active ad sets of apps with signed bids that have no source identifier, or one of another app in the store. Spans companies, for the
 * job that gives them out. In no order, so that ad sets for which none is left do not keep out others.
 */
export async function unnumberedAdsets(db: Db, limit: number): Promise<UnnumberedAdset[]> {
  return db
    .selectFrom('skadnetwork_apps')
    .innerJoin('apps', 'apps.uuid', 'skadnetwork_apps.app_uuid')
    .innerJoin('campaigns', 'campaigns.app_uuid', 'apps.uuid')
    .innerJoin('adsets', 'adsets.campaign_uuid', 'campaigns.uuid')
    .leftJoin('source_identifiers', (join) =>
      join
        .onRef('source_identifiers.adset_uuid', '=', 'adsets.uuid')
        .on('source_identifiers.released_at', 'is', null),
    )
    .select([
      'adsets.uuid as adsetId',
      'adsets.company_uuid as companyId',
      approvedText('apps', 'store_link').as('storeLink'),
      sql<
        number[]
      >`coalesce(array_agg(source_identifiers.item_id) filter (where source_identifiers.item_id is not null), '{}')`.as(
        'itemIds',
      ),
    ])
    .where('apps.os', '=', 'ios')
    .where('apps.deleted_at', 'is', null)
    .where('adsets.status', '=', 'Active')
    .where('adsets.archived_at', 'is', null)
    .where('campaigns.status', '=', 'Active')
    .groupBy(['adsets.uuid', 'adsets.company_uuid', 'apps.uuid'])
    .having(
      sql<boolean>`not coalesce(bool_or(source_identifiers.item_id::text = substring(${approvedText('apps', 'store_link')} from '/id(\\d{5,12})')), false)`,
    )
    .orderBy(sql`random()`)
    .limit(limit)
    .execute();
}
