import { type Migration, sql } from 'kysely';

/** Imports of audiences that turned out to be long, and wait for others of their kind. */
export const longImports: Migration = {
  async up(db) {
    await sql`alter table audience_imports add column put_off_at timestamptz`.execute(db);
  },
};
