import type { Selectable } from 'kysely';
import type { BiddingStopTable } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

export type BiddingStopRow = Pick<Selectable<BiddingStopTable>, 'operator' | 'reason' | 'stopped_at'>;

/** Who stopped all bidding; undefined while it is running. */
export async function findBiddingStop(db: Db): Promise<BiddingStopRow | undefined> {
  return db.selectFrom('bidding_stop').select(['operator', 'reason', 'stopped_at']).executeTakeFirst();
}

/** Stops all bidding; the first stop stays. */
export async function insertBiddingStop(db: Db, row: BiddingStopRow): Promise<void> {
  await db
    .insertInto('bidding_stop')
    .values(row)
    .onConflict((conflict) => conflict.column('one').doNothing())
    .execute();
}

/** Resumes bidding. */
export async function deleteBiddingStop(db: Db): Promise<void> {
  await db.deleteFrom('bidding_stop').execute();
}
