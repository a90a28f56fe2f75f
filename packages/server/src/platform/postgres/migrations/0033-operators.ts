import { type Migration, sql } from 'kysely';

/** People who operate the server, their sessions, and the log of their acts. */
export const operators: Migration = {
  async up(db) {
    await sql`
      create table operators (
        uuid uuid primary key,
        login text not null unique,
        name text not null,
        role text not null,
        password_hash text not null,
        totp_secret text,
        totp_enrolled boolean not null default false,
        totp_last_step bigint not null default 0,
        active boolean not null default true,
        last_login_at timestamptz,
        created_at timestamptz not null
      )`.execute(db);
    await sql`
      create table operator_sessions (
        token_hash text primary key,
        operator_uuid uuid not null references operators (uuid),
        created_at timestamptz not null,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index operator_sessions_operator on operator_sessions (operator_uuid)`.execute(db);
    await sql`
      create table operator_acts (
        uuid uuid primary key,
        operator_uuid uuid,
        operator text not null,
        action text not null,
        entity text not null,
        entity_uuid text,
        name text not null,
        company_uuid uuid,
        reason text not null default '',
        before jsonb,
        after jsonb,
        created_at timestamptz not null
      )`.execute(db);
    await sql`create index operator_acts_time on operator_acts (created_at desc, uuid desc)`.execute(db);
    await sql`
      create index operator_acts_company on operator_acts (company_uuid, created_at desc, uuid desc)
        where company_uuid is not null`.execute(db);
  },
};
