import type { Db } from '../../platform/postgres/transaction.ts';
import type { Place } from '../../platform/encryption.ts';
import type { SkadnetworkSettings } from './signable.ts';

/**
 * The ad networks of the installation and the exchanges with which bids are signed. A network whose key cannot be decrypted, which
 * `decrypt` returns as '', is left out: bids are then sent unsigned.
 */
export async function loadSkadnetwork(
  db: Db,
  decrypt: (stored: string, place: Place) => string,
): Promise<SkadnetworkSettings> {
  const rows = await db
    .selectFrom('skadnetwork_networks')
    .select(['id', 'private_key', 'iab_number'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const networks = rows.flatMap(({ id, private_key: stored, iab_number: iabNumber }) => {
    if (stored === null) return [];
    const privateKey = decrypt(stored, privateKeyPlace(id));
    return privateKey === '' ? [] : [{ id, privateKey, iabNumber }];
  });
  const exchanges = await db.selectFrom('skadnetwork_exchanges').select('slug').orderBy('slug').execute();
  return { networks, exchanges: exchanges.map(({ slug }) => slug) };
}

/** Whether the installation has an ad network with a private key; bids are signed for such only. */
export async function hasSigningNetwork(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('skadnetwork_networks')
    .select('id')
    .where('private_key', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Where the private key of a network is stored. */
export function privateKeyPlace(id: string): Place {
  return { table: 'skadnetwork_networks', column: 'private_key', row: id };
}

/** The numbers of the companies' ad sets, by ad set, where their app has signed bids. */
export async function loadSourceIdentifiers(
  db: Db,
  companyIds: readonly string[],
): Promise<Map<string, { itemId: number; number: number }[]>> {
  const rows = await db
    .selectFrom('source_identifiers')
    .innerJoin('adsets', 'adsets.uuid', 'source_identifiers.adset_uuid')
    .innerJoin('campaigns', 'campaigns.uuid', 'adsets.campaign_uuid')
    .innerJoin('skadnetwork_apps', (join) =>
      join
        .onRef('skadnetwork_apps.app_uuid', '=', 'campaigns.app_uuid')
        .onRef('skadnetwork_apps.item_id', '=', 'source_identifiers.item_id'),
    )
    .select(['adset_uuid as adsetId', 'source_identifiers.item_id as itemId', 'number'])
    .where('source_identifiers.company_uuid', 'in', companyIds)
    .where('released_at', 'is', null)
    .execute();
  const byAdset = new Map<string, { itemId: number; number: number }[]>();
  for (const { adsetId, ...one } of rows) byAdset.set(adsetId, [...(byAdset.get(adsetId) ?? []), one]);
  return byAdset;
}
