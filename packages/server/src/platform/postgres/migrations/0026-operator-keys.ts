import { type Migration, sql } from 'kysely';

/** Idempotency keys of operator writes, with the status and body of their responses. */
export const operatorKeys: Migration = {
  async up(db) {
    await sql`
      create table operator_idempotency_keys (
        key text primary key,
        fingerprint text not null,
        state text not null,
        answer jsonb,
        claimed_at timestamptz not null
      )`.execute(db);
    await sql`create index operator_idempotency_keys_claimed on operator_idempotency_keys (claimed_at)`.execute(
      db,
    );
  },
};
