import { type Migration, sql } from 'kysely';

/** The exits that were found in a playable's page; null for other creatives and for earlier uploads. */
export const playableExits: Migration = {
  async up(db) {
    await sql`alter table internal_creatives add column exits jsonb`.execute(db);
  },
};
