import { type Migration, sql } from 'kysely';

/** Companies, users and sessions. */
export const accounts: Migration = {
  async up(db) {
    await sql`
      create table companies (
        uuid uuid primary key,
        name text not null,
        time_zone text not null default 'UTC',
        postback_secret text not null unique,
        suspended_at timestamptz,
        created_at timestamptz not null default now()
      )`.execute(db);
    await sql`
      create table files (
        uuid uuid primary key,
        company_uuid uuid not null references companies,
        content_type text not null,
        extension text not null,
        size_bytes bigint not null,
        sha256 text not null,
        width integer,
        height integer,
        duration_ms integer,
        created_at timestamptz not null default now()
      )`.execute(db);
    await sql`
      create table users (
        uuid uuid primary key,
        company_uuid uuid not null references companies,
        login text not null unique,
        email text not null,
        password_hash text not null,
        first_name text not null,
        last_name text not null,
        contact text not null,
        avatar_file_uuid uuid references files,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`.execute(db);
    await sql`create index users_company on users (company_uuid)`.execute(db);
    await sql`
      create table refresh_tokens (
        uuid uuid primary key,
        family_uuid uuid not null,
        user_uuid uuid not null references users,
        token_hash text not null unique,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        spent_at timestamptz,
        revoked_at timestamptz
      )`.execute(db);
    await sql`create index refresh_tokens_family on refresh_tokens (family_uuid)`.execute(db);
    await sql`create index refresh_tokens_user on refresh_tokens (user_uuid)`.execute(db);
    await sql`
      create table captcha_passes (
        pass_hash text primary key,
        challenge_hash text not null unique,
        expires_at timestamptz not null,
        spent_at timestamptz
      )`.execute(db);
    await sql`create index captcha_passes_expiry on captcha_passes (expires_at)`.execute(db);
  },
};
