import { sql } from 'kysely';
import type { Db } from './transaction.ts';

/** The clock of the database, which decides the day of budgets and the end of leases; Unix ms. */
export async function databaseNowMs(db: Db): Promise<number> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]!.now.getTime();
}
