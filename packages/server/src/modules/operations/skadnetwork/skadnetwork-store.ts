import { type Insertable, type Selectable, sql } from 'kysely';
import type { SkadnetworkNetworkTable } from '../../../platform/postgres/schema.ts';
import { type Db, transact } from '../../../platform/postgres/transaction.ts';
import type { Context } from '../../../context.ts';
import { allocateSourceIdentifier, unnumberedAdsets } from '../../../delivery/public.ts';

export type NetworkRow = Selectable<SkadnetworkNetworkTable>;

/** The ad networks, the oldest first. They belong to no company. */
export async function listNetworkRows(db: Db): Promise<NetworkRow[]> {
  return db.selectFrom('skadnetwork_networks').selectAll().orderBy('created_at').orderBy('id').execute();
}

/** Reads a network and locks it until the transaction ends. */
export async function lockNetwork(db: Db, id: string): Promise<NetworkRow | undefined> {
  return db
    .selectFrom('skadnetwork_networks')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function upsertNetwork(db: Db, row: Insertable<SkadnetworkNetworkTable>): Promise<NetworkRow> {
  const { id: _id, created_at: _created, ...changes } = row;
  return db
    .insertInto('skadnetwork_networks')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changes))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function removeNetwork(db: Db, id: string): Promise<void> {
  await db.deleteFrom('skadnetwork_networks').where('id', '=', id).execute();
}

/** All exchanges, and whether bids with them are signed. */
export async function listSigningExchanges(
  db: Db,
): Promise<{ slug: string; name: string; enabled: boolean }[]> {
  return db
    .selectFrom('ssps')
    .leftJoin('skadnetwork_exchanges', 'skadnetwork_exchanges.slug', 'ssps.slug')
    .select(['ssps.slug', 'ssps.name', sql<boolean>`skadnetwork_exchanges.slug is not null`.as('enabled')])
    .orderBy('ssps.slug')
    .execute();
}

export async function switchExchangeRow(db: Db, slug: string, enabled: boolean): Promise<void> {
  if (enabled)
    await db
      .insertInto('skadnetwork_exchanges')
      .values({ slug })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  else await db.deleteFrom('skadnetwork_exchanges').where('slug', '=', slug).execute();
}

function appsOfAll(db: Db) {
  return db
    .selectFrom('apps')
    .innerJoin('companies', 'companies.uuid', 'apps.company_uuid')
    .leftJoin('skadnetwork_apps', (join) =>
      join
        .onRef('skadnetwork_apps.app_uuid', '=', 'apps.uuid')
        .onRef('skadnetwork_apps.item_id', '=', 'apps.store_item_id'),
    )
    .where('apps.os', '=', 'ios')
    .where('apps.deleted_at', 'is', null);
}

/** iOS apps of all companies, for operators, those with signed bids first; at most `limit`, and how many there are. */
export async function findSigningApps(db: Db, { q, uuid }: { q?: string; uuid?: string }, limit: number) {
  let query = appsOfAll(db);
  if (uuid !== undefined) query = query.where('apps.uuid', '=', uuid);
  if (q !== undefined && q !== '') {
    const pattern = `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    query = query.where((eb) =>
      eb.or([
        eb('apps.name', 'ilike', pattern),
        eb('companies.name', 'ilike', pattern),
        eb('apps.store_link', 'ilike', pattern),
      ]),
    );
  }
  const rows = await query
    .select([
      'apps.uuid',
      'apps.name',
      'apps.store_item_id as item_id',
      'apps.company_uuid',
      'companies.name as company',
      sql<boolean>`skadnetwork_apps.app_uuid is not null`.as('enabled'),
    ])
    .orderBy(sql`skadnetwork_apps.app_uuid is null`)
    .orderBy('companies.name')
    .orderBy('apps.name')
    .orderBy('apps.uuid')
    .limit(limit)
    .execute();
  const { total } = await query.select(sql<number>`count(*)::bigint`.as('total')).executeTakeFirstOrThrow();
  return { rows, total };
}

/** Switches signed bids of an app on for its number in the store, or off with null. */
export async function switchAppRow(
  db: Db,
  companyId: string,
  appUuid: string,
  itemId: number | null,
): Promise<void> {
  if (itemId !== null)
    await db
      .insertInto('skadnetwork_apps')
      .values({ app_uuid: appUuid, company_uuid: companyId, item_id: itemId })
      .onConflict((conflict) => conflict.column('app_uuid').doUpdateSet({ item_id: itemId }))
      .execute();
  else
    await db
      .deleteFrom('skadnetwork_apps')
      .where('company_uuid', '=', companyId)
      .where('app_uuid', '=', appUuid)
      .execute();
}

/** Ad sets of one run; each is a short transaction. */
const ADSETS_AT_ONCE = 200;

/**
 * Gives source identifiers to the ad sets that may bid with signatures and have none; bidders apply them within seconds. One for which none is
 * left bids without signatures until one is free. Resolves to how many got one.
 */
export async function allocateNumbers(ctx: Context): Promise<number> {
  let allocated = 0;
  for (const { adsetId, companyId, itemId } of await unnumberedAdsets(ctx.db, ADSETS_AT_ONCE)) {
    const number = await transact(ctx.db, async (tx) =>
      allocateSourceIdentifier(tx, companyId, adsetId, itemId, ctx.now()),
    );
    if (number !== null) allocated += 1;
  }
  if (allocated > 0) ctx.onInstallationChanged();
  return allocated;
}
