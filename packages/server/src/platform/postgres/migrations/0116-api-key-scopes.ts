import { type Migration, sql } from 'kysely';

/** API keys have scopes, an end and a limit of their own. Those of earlier releases, and by them, read reports and do not expire. */
export const apiKeyScopes: Migration = {
  async up(db) {
    await sql`
      alter table api_tokens
        add column scopes text[] not null default '{reports}',
        add column calls_per_minute integer not null default 600,
        add column expires_at timestamptz,
        add column last_used_address text`.execute(db);
  },
};
