import { type Migration, sql } from 'kysely';

/** The numbers of an ad set's bundles, which lists show; null for one that was not written since. */
export const bundleCounts: Migration = {
  async up(db) {
    await sql`alter table adsets add column bundle_counts jsonb`.execute(db);
  },
};
