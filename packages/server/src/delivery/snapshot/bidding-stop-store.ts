import type { Db } from '../../platform/postgres/transaction.ts';

/** Whether operators have stopped all bidding. */
export async function isBiddingStopped(db: Db): Promise<boolean> {
  const row = await db.selectFrom('bidding_stop').select('one').executeTakeFirst();
  return row !== undefined;
}
