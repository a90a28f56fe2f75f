import { type Migration, sql } from 'kysely';

/** Digests of the secrets of the running processes, so that one with other secrets does not start beside them. */
export const processSecrets: Migration = {
  async up(db) {
    await sql`
      create table process_secrets (
        process text primary key,
        digests jsonb not null,
        seen_at timestamptz not null default clock_timestamp()
      )`.execute(db);
  },
};
