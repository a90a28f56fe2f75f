import { type Migration, sql } from 'kysely';

/** No screen shows an example of a postback that is not counted, and strangers wrote it. Released versions do not have the table. */
export const rejectedSamples: Migration = {
  async up(db) {
    await sql`alter table rejected_install_postbacks drop column sample`.execute(db);
  },
};
