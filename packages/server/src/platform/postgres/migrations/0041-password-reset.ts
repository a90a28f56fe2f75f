import { type Migration, sql } from 'kysely';

/** Links of password resets by mail. Each row is one link, which is deleted when it is used. */
export const passwordReset: Migration = {
  async up(db) {
    await sql`
      create table password_resets (
        token_hash text primary key,
        user_uuid uuid not null references users (uuid) on delete cascade,
        created_at timestamptz not null,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index password_resets_user on password_resets (user_uuid)`.execute(db);
    await sql`create index password_resets_expiry on password_resets (expires_at)`.execute(db);
  },
};
