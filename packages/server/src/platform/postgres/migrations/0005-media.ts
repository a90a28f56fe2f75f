import type { Migration } from 'kysely';
import { sql } from 'kysely';

/** What was found in a playable's page when it was uploaded. */
export const media: Migration = {
  async up(db) {
    await sql`alter table internal_creatives add column external_loads jsonb`.execute(db);
  },
};
