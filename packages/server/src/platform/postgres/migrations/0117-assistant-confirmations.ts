import { type Migration, sql } from 'kysely';

/** Changes that assistants proposed, and that wait for their confirmation. */
export const assistantConfirmations: Migration = {
  async up(db) {
    await sql`
      create table assistant_confirmations (
        hash text primary key,
        company_uuid uuid not null references companies on delete cascade,
        key_uuid uuid not null references api_tokens on delete cascade,
        fingerprint text not null,
        created_at timestamptz not null,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index assistant_confirmations_key on assistant_confirmations (key_uuid, created_at)`.execute(
      db,
    );
    await sql`create index assistant_confirmations_expiry on assistant_confirmations (expires_at)`.execute(
      db,
    );
  },
};
