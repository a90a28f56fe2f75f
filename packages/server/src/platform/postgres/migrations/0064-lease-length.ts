import { type Migration, sql } from 'kysely';

/** How long bids may reserve money of a lease after the last of them, ms; null where an older server wrote it. */
export const leaseLength: Migration = {
  async up(db) {
    await sql`alter table budget_leases add column held_ms int`.execute(db);
  },
};
