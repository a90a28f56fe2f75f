import { type Migration, sql } from 'kysely';

/** API tokens, by which scripts read reports. */
export const apiTokens: Migration = {
  async up(db) {
    await sql`
      create table api_tokens (
        uuid uuid primary key,
        company_uuid uuid not null references companies (uuid),
        user_uuid uuid not null references users (uuid),
        name text not null,
        token_hash text not null unique,
        ending text not null,
        created_at timestamptz not null,
        last_used_at timestamptz,
        revoked_at timestamptz
      )`.execute(db);
    await sql`create index api_tokens_company on api_tokens (company_uuid) where revoked_at is null`.execute(
      db,
    );
  },
};
