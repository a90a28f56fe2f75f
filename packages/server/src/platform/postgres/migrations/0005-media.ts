import { type Migration, sql } from 'kysely';

/** Findings of the inspection of a playable's page at its upload. */
export const media: Migration = {
  async up(db) {
    await sql`alter table internal_creatives add column external_loads jsonb`.execute(db);
  },
};
