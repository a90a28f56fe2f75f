import { type Migration, sql } from 'kysely';

/** The size of an ad set's bundle lists and bundle bids as JSON; null for one that was not written since. */
export const bundleBytes: Migration = {
  async up(db) {
    await sql`alter table adsets add column bundle_bytes integer`.execute(db);
  },
};
