import type { Db } from '../../../platform/postgres/transaction.ts';

/**
 * The numbers of a company's ad sets for an app in the store, the newest first; also those that were given to others since. After them those
 * that ad sets of the app have for other numbers in the store: its former ones.
 */
export async function listNumberRows(db: Db, companyId: string, uuid: string, itemId: number | null) {
  return db
    .selectFrom('source_identifiers')
    .leftJoin('adsets', (join) =>
      join
        .onRef('adsets.uuid', '=', 'source_identifiers.adset_uuid')
        .onRef('adsets.company_uuid', '=', 'source_identifiers.company_uuid'),
    )
    .leftJoin('campaigns', 'campaigns.uuid', 'adsets.campaign_uuid')
    .select([
      'source_identifiers.item_id',
      'source_identifiers.number',
      'source_identifiers.adset_uuid',
      'adsets.name as adset',
      'source_identifiers.allocated_at',
      'source_identifiers.last_bid_at',
      'source_identifiers.released_at',
    ])
    .where('source_identifiers.company_uuid', '=', companyId)
    .where((eb) =>
      eb.or([
        eb('campaigns.app_uuid', '=', uuid),
        ...(itemId === null ? [] : [eb('source_identifiers.item_id', '=', itemId)]),
      ]),
    )
    .orderBy((eb) => eb('source_identifiers.item_id', 'is distinct from', itemId))
    .orderBy('source_identifiers.allocated_at', 'desc')
    .orderBy('source_identifiers.number')
    .execute();
}

/** Whether bids for an app are signed, with its present number in the store. */
export async function hasSignedBids(db: Db, companyId: string, uuid: string): Promise<boolean> {
  const row = await db
    .selectFrom('skadnetwork_apps')
    .innerJoin('apps', (join) =>
      join
        .onRef('apps.uuid', '=', 'skadnetwork_apps.app_uuid')
        .onRef('apps.store_item_id', '=', 'skadnetwork_apps.item_id'),
    )
    .select('app_uuid')
    .where('skadnetwork_apps.company_uuid', '=', companyId)
    .where('app_uuid', '=', uuid)
    .executeTakeFirst();
  return row !== undefined;
}

/** The company's active ad sets of an app without a number for it, by name. */
export async function adsetsWithoutNumber(db: Db, companyId: string, uuid: string, itemId: number) {
  return db
    .selectFrom('adsets')
    .innerJoin('campaigns', 'campaigns.uuid', 'adsets.campaign_uuid')
    .select(['adsets.uuid', 'adsets.name'])
    .where('adsets.company_uuid', '=', companyId)
    .where('campaigns.app_uuid', '=', uuid)
    .where('campaigns.status', '=', 'Active')
    .where('adsets.status', '=', 'Active')
    .where('adsets.archived_at', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('source_identifiers')
            .select('source_identifiers.uuid')
            .whereRef('source_identifiers.adset_uuid', '=', 'adsets.uuid')
            .where('source_identifiers.item_id', '=', itemId)
            .where('source_identifiers.released_at', 'is', null),
        ),
      ),
    )
    .orderBy('adsets.name')
    .orderBy('adsets.uuid')
    .execute();
}
