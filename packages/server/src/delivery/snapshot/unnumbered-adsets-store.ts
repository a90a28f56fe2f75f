import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';
import { lacksGoal } from '../../platform/postgres/stores/missing-goal-store.ts';
import { approvedItemId, isApproved } from './approved-version-store.ts';

/** An ad set that may bid, of an app with signed bids. */
export interface UnnumberedAdset {
  adsetId: string;
  companyId: string;
  /** The number of its app in the store. */
  itemId: number;
}

/**
 * Ad sets that may bid, of apps with signed bids, that have no source identifier, or one of another app in the store. Spans companies, for the
 * job that gives them out. In no order, so that ad sets for which none is left do not keep out others.
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
