import { type Migration, sql } from 'kysely';

/** The sellers in the app-ads.txt file of an app's developer: empty without a file, null where that is not known. */
export const appAds: Migration = {
  async up(db) {
    await sql`alter table publisher_pages add column app_ads text[]`.execute(db);
  },
};
