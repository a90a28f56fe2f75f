import { type Migration, sql } from 'kysely';

/**
 * Second factors of people, as operators have them, and codes for whoever lost theirs. Recovery codes have no foreign key, since
 * they are for accounts of every kind.
 */
export const secondFactors: Migration = {
  async up(db) {
    await sql`
      alter table users
        add column totp_secret text,
        add column totp_enrolled boolean not null default false,
        add column totp_last_step bigint not null default 0`.execute(db);
    await sql`
      create table recovery_codes (
        account_uuid uuid not null,
        code_hash text not null,
        created_at timestamptz not null,
        primary key (account_uuid, code_hash)
      )`.execute(db);
    await sql`
      create table login_steps (
        token_hash text primary key,
        user_uuid uuid not null references users on delete cascade,
        password_mark text not null,
        created_at timestamptz not null,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index login_steps_user on login_steps (user_uuid)`.execute(db);
    await sql`create index login_steps_expiry on login_steps (expires_at)`.execute(db);
    await sql`alter table companies add column second_factor_required boolean not null default false`.execute(
      db,
    );
  },
};
