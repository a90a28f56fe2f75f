import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** Whether the installation has an ad network with a key. */
export async function hasSigningNetwork(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('skadnetwork_networks')
    .select('id')
    .where('private_key', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The company's apps whose bids are signed. */
export async function appsWithSignedBids(db: Db, companyId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('skadnetwork_apps')
    .select('app_uuid')
    .where('company_uuid', '=', companyId)
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
