import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../platform/postgres/transaction.ts';
import {
  AD_SET_DIGITS_MAX,
  AD_SET_DIGITS_MIN,
  RESERVED_NUMBERS,
  SOURCE_IDENTIFIER_DAYS,
  UNSPLIT_HUNDREDS,
} from '@bidwell/contract/skadnetwork/source-identifiers';

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
 * Gives an ad set a number for an app in the store, or returns the one that it has; null when none is left for its company. Numbers of an
 * app are given out one after another, whichever process does. Marks the company, and that whose number is taken, as changed.
 */
export async function allocateSourceIdentifier(
  tx: Pick<Tx, 'db' | 'changes'>,
  companyId: string,
  adsetId: string,
  itemId: number,
  at: Date,
): Promise<number | null> {
  const { db } = tx;
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS}::int, ${itemId % 2 ** 31}::int)`.execute(db);
  const inUse = await numbersInUse(db, itemId, at);
  const own = inUse.find((one) => one.adsetId === adsetId);
  if (own) return own.number;
  const chosen = chooseNumber(companyId, inUse, at.getTime());
  if (!chosen) return null;
  const { number, takenFrom } = chosen;
  if (takenFrom) {
    await db
      .updateTable('source_identifiers')
      .set({ released_at: at })
      .where('uuid', '=', takenFrom.uuid)
      .execute();
    tx.changes(takenFrom.companyId);
  }
  await db
    .insertInto('source_identifiers')
    .values({
      uuid: uuidv7(),
      company_uuid: companyId,
      item_id: itemId,
      number,
      adset_uuid: adsetId,
      allocated_at: at,
    })
    .execute();
  tx.changes(companyId);
  return number;
}

/** The class of the advisory locks of apps in the store. */
const LOCK_CLASS = 7_100_100;

/** YYYY-MM-DD. Campaigns that end before this day run in no time zone any more. */
const dayBefore = (at: Date) => new Date(at.getTime() - 86_400_000).toISOString().slice(0, 10);

/**
 * The numbers of an app that are in use, and whether they may be bid with: as the snapshot of bidders reads it, but for reviews and goals,
 * which only keep more. Locks the ad sets in the order of their ids, so that none becomes active until the transaction ends.
 */
async function numbersInUse(db: Db, itemId: number, at: Date) {
  await sql`
    select uuid from adsets where uuid in (
      select adset_uuid from source_identifiers where item_id = ${itemId} and released_at is null)
    order by uuid for share`.execute(db);
  const { rows } = await sql<NumberInUse & { adsetId: string }>`
    select s.uuid, s.number, s.company_uuid as "companyId", s.adset_uuid as "adsetId", s.allocated_at as "allocatedAt",
      s.last_bid_at as "lastBidAt", exists (
        select from adsets join campaigns on campaigns.uuid = adsets.campaign_uuid
        join companies on companies.uuid = adsets.company_uuid
        join skadnetwork_apps on skadnetwork_apps.app_uuid = campaigns.app_uuid
        join apps on apps.uuid = campaigns.app_uuid
        where adsets.uuid = s.adset_uuid and skadnetwork_apps.item_id = s.item_id
          and adsets.status = 'Active' and adsets.archived_at is null
          and campaigns.status = 'Active' and campaigns.archived_at is null
          and coalesce(campaigns.end_date >= ${dayBefore(at)}, true)
          and apps.deleted_at is null and apps.archived_at is null and companies.suspended_at is null) as "mayBid"
    from source_identifiers s where s.item_id = ${itemId} and s.released_at is null`.execute(db);
  return rows;
}

/**
 * Stores that these numbers were bid with until `at`, in the order of the rows, so that two bidders never wait for each other. Spans
 * companies: bidders bid for all.
 */
export async function storeLastBids(
  db: Db,
  bids: readonly { adsetId: string; itemId: number }[],
  at: Date,
): Promise<void> {
  if (bids.length === 0) return;
  await sql`
    update source_identifiers set last_bid_at = greatest(last_bid_at, ${at}::timestamptz)
    where uuid in (
      select s.uuid from source_identifiers s
      join unnest(${bids.map(({ adsetId }) => adsetId)}::uuid[], ${bids.map(({ itemId }) => itemId)}::bigint[]) as bid (adset, item)
        on s.adset_uuid = bid.adset and s.item_id = bid.item
      where s.released_at is null order by s.uuid for update of s)`.execute(db);
}

const DAY_MS = 86_400_000;
/** Bidders store the times of their last bids a few minutes late at most. */
const LATENESS_MS = DAY_MS;

/** A number that is in use. */
export interface NumberInUse {
  uuid: string;
  companyId: string;
  number: number;
  allocatedAt: Date;
  lastBidAt: Date | null;
  /** Whether its ad set can be bid for: a number of such is never taken away. */
  mayBid: boolean;
}

/** A number for an ad set, and the row that it is taken from; null where it was free. */
interface ChosenNumber {
  number: number;
  takenFrom: NumberInUse | null;
}

/**
 * When a number may be given to another ad set, unless its own bids again before, Unix ms. One that was never bid with is in no
 * postback.
 */
function releasableAtMs({ allocatedAt, lastBidAt }: Pick<NumberInUse, 'allocatedAt' | 'lastBidAt'>): number {
  if (lastBidAt === null) return allocatedAt.getTime() + LATENESS_MS;
  return lastBidAt.getTime() + SOURCE_IDENTIFIER_DAYS * DAY_MS + LATENESS_MS;
}

/**
 * The number for one more ad set of an app in the store: a free one, or that whose last bid is the longest ago, if no postback of it can
 * arrive any more. Null when all are in use, and for a company with {@link RESERVED_NUMBERS} or more when no more than those are left.
 */
export function chooseNumber(
  companyId: string,
  inUse: readonly NumberInUse[],
  nowMs: number,
): ChosenNumber | null {
  const taken = new Set(inUse.map(({ number }) => number % 100));
  const free: number[] = [];
  for (let digits = AD_SET_DIGITS_MIN; digits <= AD_SET_DIGITS_MAX; digits += 1)
    if (!taken.has(digits)) free.push(digits);
  const releasable = inUse
    .filter((one) => !one.mayBid && releasableAtMs(one) <= nowMs)
    .toSorted((a, b) => releasableAtMs(a) - releasableAtMs(b));
  const held = inUse.filter((one) => one.companyId === companyId && !releasable.includes(one)).length;
  const left = free.length + releasable.length;
  if (held >= RESERVED_NUMBERS && left <= RESERVED_NUMBERS) return null;
  const takenFrom = free.length > 0 ? null : (releasable[0] ?? null);
  const digits = free[0] ?? takenFrom?.number;
  return digits === undefined ? null : { number: UNSPLIT_HUNDREDS * 100 + (digits % 100), takenFrom };
}
