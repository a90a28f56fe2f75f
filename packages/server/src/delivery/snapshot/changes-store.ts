import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';

/** What is announced: changes of what may bid, and of what companies have to spend. */
export type BiddingChange = 'snapshot' | 'funds';

/** The channel on which PostgreSQL announces changes as they are committed; the payload is a {@link BiddingChange}. */
export const CHANGES_CHANNEL = 'bidwell_bidding';

/** Rows are only compared, by processes that ask every other second. */
const KEPT_MINUTES = 10;

/** A text for each kind that differs after every change. Crosses companies: it says only that something changed. */
export async function readChanges(db: Db): Promise<Map<string, string>> {
  // The count tells of one that committed after one with a higher number.
  const { rows } = await sql<{ kind: string; state: string }>`
    select kind, max(id) || ' ' || count(*) as state from bidding_changes group by kind`.execute(db);
  return new Map(rows.map(({ kind, state }) => [kind, state]));
}

/** Forgets announcements that every process has seen by now. */
export async function forgetChanges(db: Db): Promise<void> {
  await sql`
    delete from bidding_changes
    where at < clock_timestamp() - ${`${KEPT_MINUTES} minutes`}::interval
      and id < (select max(id) from bidding_changes)`.execute(db);
}
