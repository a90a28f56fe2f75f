import { type Migration, sql } from 'kysely';

/** Idempotency keys of create calls, with their responses. */
export const idempotency: Migration = {
  async up(db) {
    await sql`
      create table idempotency_keys (
        company_uuid uuid not null references companies,
        key text not null,
        fingerprint text not null,
        state text not null,
        answer jsonb,
        claimed_at timestamptz not null,
        primary key (company_uuid, key)
      )`.execute(db);
    await sql`create index idempotency_keys_claimed on idempotency_keys (claimed_at)`.execute(db);
  },
};
