import { type Migration, sql } from 'kysely';

/** Where in the app clicks of an ad set lead; null for none. */
export const deepLinks: Migration = {
  async up(db) {
    await sql`alter table adsets add column deep_link text`.execute(db);
  },
};
