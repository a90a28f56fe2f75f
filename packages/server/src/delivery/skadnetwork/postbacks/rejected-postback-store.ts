import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** Postbacks of a day that were not counted for one reason. */
export interface RejectedCount {
  /** YYYY-MM-DD, UTC. */
  day: string;
  /** The App Store's number of the app that they name; '' for none, and for one that nobody here has with signed bids. */
  itemId: string;
  reason: string;
  count: number;
  lastAt: Date;
}

/**
 * Which of some numbers in the App Store postbacks are some company's of: an operator switched it on, or ad sets have or had source
 * identifiers of it. Spans companies.
 */
export async function signedItems(db: Db, itemIds: readonly string[]): Promise<Set<string>> {
  // Anybody may name anything.
  const numbers = itemIds.filter((itemId) => /^\d{1,15}$/.test(itemId));
  if (numbers.length === 0) return new Set();
  const { rows } = await sql<{ item: string }>`
    select item::text as item from unnest(${`{${numbers.join()}}`}::bigint[]) as item
    where exists (select from skadnetwork_apps where item_id = item)
      or exists (select from source_identifiers where item_id = item)`.execute(db);
  return new Set(rows.map(({ item }) => item));
}

/** Adds to the counts of postbacks that were not counted. Spans companies. */
export async function addRejected(db: Db, counts: readonly RejectedCount[]): Promise<void> {
  if (counts.length === 0) return;
  await sql`
    insert into rejected_install_postbacks as stored (day, item_id, reason, count, last_at)
    select day, item_id, reason, count, last_at
    from json_to_recordset(${JSON.stringify(counts.map(rowOf))}::json)
      as r(day text, item_id text, reason text, count bigint, last_at timestamptz)
    order by day, item_id, reason
    on conflict (day, item_id, reason) do update set
      count = stored.count + excluded.count, last_at = greatest(stored.last_at, excluded.last_at)`.execute(
    db,
  );
}

function rowOf({ day, itemId, reason, count, lastAt }: RejectedCount) {
  return { day, item_id: itemId, reason, count, last_at: lastAt.toISOString() };
}
