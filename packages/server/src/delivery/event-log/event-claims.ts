import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '../../platform/postgres/transaction.ts';

/**
 * Deletes claims of bids made before an instant, whose events are no longer accepted. Only earlier releases make claims;
 * this release empties their table, since servers of the earlier release may still run.
 */
export async function deleteExpiredClaims(db: Db, beforeMs: number): Promise<void> {
  // A UUIDv7 starts with its time.
  const first = uuidv7({ msecs: beforeMs, random: new Uint8Array(16), seq: 0 });
  await sql`delete from event_claims where bid_id < ${first}::uuid`.execute(db);
}
