import { type Migration, sql } from 'kysely';

/** Who began an import of ids, for the change log; null for what the server began, and for imports of earlier releases. */
export const importAuthors: Migration = {
  async up(db) {
    await sql`alter table audience_imports add column requested_by jsonb`.execute(db);
  },
};
