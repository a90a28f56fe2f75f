import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';

/** Kinds of changes: `snapshot`, of ad sets and settings that bids depend on; `funds`, of what companies can spend. */
export type BiddingChange = 'snapshot' | 'funds';

/** Channel on which PostgreSQL notifies of committed changes; the payload is a {@link BiddingChange}. */
export const CHANGES_CHANNEL = 'bidwell_bidding';

/** Retention of changes. Processes poll for new ones every other second. */
const RETENTION_MINUTES = 10;

/**
 * Returns a version for each kind, which differs after every change. Spans all companies, but reveals only that
 * something changed.
 */
export async function readChanges(db: Db): Promise<Map<string, string>> {
  // The count detects a transaction that commits after one with a higher id.
  const { rows } = await sql<{ kind: string; state: string }>`
    select kind, max(id) || ' ' || count(*) as state from bidding_changes group by kind`.execute(db);
  return new Map(rows.map(({ kind, state }) => [kind, state]));
}

/** Deletes changes past their retention, except the newest. */
export async function deleteOldChanges(db: Db): Promise<void> {
  await sql`
    delete from bidding_changes
    where at < clock_timestamp() - ${`${RETENTION_MINUTES} minutes`}::interval
      and id < (select max(id) from bidding_changes)`.execute(db);
}
