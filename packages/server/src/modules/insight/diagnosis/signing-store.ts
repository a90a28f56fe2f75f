import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** The company's apps whose bids are signed: switched on for the number in the store of the version that runs. */
export async function appsWithSignedBids(db: Db, companyId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('skadnetwork_apps')
    .innerJoin('apps', 'apps.uuid', 'skadnetwork_apps.app_uuid')
    .select('app_uuid')
    .where('skadnetwork_apps.company_uuid', '=', companyId)
    .where(
      sql<boolean>`skadnetwork_apps.item_id = store_item_of('ios', coalesce(apps.approved ->> 'store_link', apps.store_link))`,
    )
    .execute();
  return new Set(rows.map(({ app_uuid: uuid }) => uuid));
}

/** The exchanges that are on, by name, and whether bids with them are signed. */
export async function listExchangeSigning(db: Db): Promise<{ slug: string; name: string; isOn: boolean }[]> {
  return db
    .selectFrom('ssps')
    .leftJoin('skadnetwork_exchanges', 'skadnetwork_exchanges.slug', 'ssps.slug')
    .select(['ssps.slug', 'ssps.name', sql<boolean>`skadnetwork_exchanges.slug is not null`.as('isOn')])
    .where('ssps.active', '=', true)
    .orderBy('ssps.name')
    .orderBy('ssps.slug')
    .execute();
}
