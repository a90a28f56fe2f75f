import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../platform/postgres/transaction.ts';
import { chooseNumber } from './allocation.ts';

/** An ad set that had a number, and when. */
export interface SourceIdentifierOwner {
  adsetId: string;
  companyId: string;
  /** Its campaign's app; null for an ad set that does not exist any more. */
  appId: string | null;
  number: number;
  /** From the allocation until the number was taken for another ad set; null while it is still this one's. */
  from: Date;
  until: Date | null;
  lastBidAt: Date | null;
}

/**
 * The ad sets whose number ends with these two to four digits, for an app in the store, the present owner first. Spans companies: a
 * postback names nothing else, and two companies may advertise one app. Empty for digits that are no source identifier.
 */
export async function ownersOfSourceIdentifier(
  db: Db,
  itemId: number,
  digits: string,
): Promise<SourceIdentifierOwner[]> {
  if (!/^\d{2,4}$/.test(digits) || !Number.isSafeInteger(itemId)) return [];
  const rows = await db
    .selectFrom('source_identifiers')
    .leftJoin('adsets', 'adsets.uuid', 'source_identifiers.adset_uuid')
    .leftJoin('campaigns', 'campaigns.uuid', 'adsets.campaign_uuid')
    .select([
      'source_identifiers.adset_uuid as adsetId',
      'source_identifiers.company_uuid as companyId',
      'campaigns.app_uuid as appId',
      'number',
      'allocated_at as from',
      'released_at as until',
      'last_bid_at as lastBidAt',
    ])
    .where('item_id', '=', itemId)
    .where(sql<number>`number % 100`, '=', Number(digits) % 100)
    .where(sql<number>`number % ${sql.lit(10 ** digits.length)}`, '=', Number(digits))
    .orderBy('allocated_at', 'desc')
    .execute();
  return rows;
}

/**
 * Gives an ad set a number for an app in the store, or returns the one that it has; null when all are in use. Numbers of an app are
 * given out one after another, whichever process does.
 */
export async function allocateSourceIdentifier(
  { db }: Pick<Tx, 'db'>,
  companyId: string,
  adsetId: string,
  itemId: number,
  at: Date,
): Promise<number | null> {
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS}::int, ${itemId % 2 ** 31}::int)`.execute(db);
  const inUse = await numbersInUse(db, itemId);
  const own = inUse.find(({ adset_uuid }) => adset_uuid === adsetId);
  if (own) return own.number;
  const chosen = chooseNumber(inUse, at.getTime());
  if (!chosen) return null;
  if (chosen.takenFrom !== null)
    await db
      .updateTable('source_identifiers')
      .set({ released_at: at })
      .where('uuid', '=', chosen.takenFrom)
      .execute();
  await db
    .insertInto('source_identifiers')
    .values({
      uuid: uuidv7(),
      company_uuid: companyId,
      item_id: itemId,
      number: chosen.number,
      adset_uuid: adsetId,
      allocated_at: at,
    })
    .execute();
  return chosen.number;
}

/** The class of the advisory locks of apps in the store. */
const LOCK_CLASS = 7_100_100;

/** Locks the ad sets that have numbers, so that none becomes active until the transaction ends. */
async function numbersInUse(db: Db, itemId: number) {
  const rows = await db
    .selectFrom('source_identifiers')
    .select(['uuid', 'number', 'adset_uuid', 'allocated_at as allocatedAt', 'last_bid_at as lastBidAt'])
    .where('item_id', '=', itemId)
    .where('released_at', 'is', null)
    .execute();
  const ids = rows.map(({ adset_uuid }) => adset_uuid);
  const active = ids.length
    ? await db
        .selectFrom('adsets')
        .select('uuid')
        .where('uuid', 'in', ids)
        .where('status', '=', 'Active')
        .where('archived_at', 'is', null)
        .forShare()
        .execute()
    : [];
  const activeIds = new Set(active.map(({ uuid }) => uuid));
  return rows.map((row) => ({ ...row, mayBid: activeIds.has(row.adset_uuid) }));
}

/** Stores that these numbers were bid with until `at`. Spans companies: bidders bid for all. */
export async function storeLastBids(
  db: Db,
  bids: readonly { adsetId: string; itemId: number }[],
  at: Date,
): Promise<void> {
  if (bids.length === 0) return;
  await sql`
    update source_identifiers set last_bid_at = greatest(last_bid_at, ${at}::timestamptz)
    from unnest(${bids.map(({ adsetId }) => adsetId)}::uuid[], ${bids.map(({ itemId }) => itemId)}::bigint[]) as bid (adset, item)
    where adset_uuid = bid.adset and item_id = bid.item and released_at is null`.execute(db);
}
