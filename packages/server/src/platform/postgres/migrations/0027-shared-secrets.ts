import { type Migration, sql } from 'kysely';

/** Secrets that servers without one in their environment share. */
export const sharedSecrets: Migration = {
  async up(db) {
    await sql`
      create table shared_secrets (
        name text primary key,
        value text not null,
        created_at timestamptz not null default now()
      )`.execute(db);
  },
};
