import { type Migration, sql } from 'kysely';

/**
 * Passkeys, and the challenges that one has answered until they expire. Without a foreign key, since both are for accounts of every
 * kind. Earlier releases do not ask for passkeys.
 */
export const passkeys: Migration = {
  async up(db) {
    await sql`
      create table passkeys (
        uuid uuid primary key,
        account_uuid uuid not null,
        credential_id text not null unique,
        public_key text not null,
        sign_count bigint not null,
        transports text[] not null,
        synced boolean not null,
        name text not null,
        created_at timestamptz not null,
        last_used_at timestamptz
      )`.execute(db);
    await sql`create index passkeys_account on passkeys (account_uuid)`.execute(db);
    await sql`
      create table answered_challenges (
        challenge_hash text primary key,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index answered_challenges_expiry on answered_challenges (expires_at)`.execute(db);
  },
};
