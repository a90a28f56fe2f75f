import { type Migration, sql } from 'kysely';

/**
 * People who operate the server, their sessions, also the read-only ones in the consoles of companies, and the log of their acts, which
 * keeps the hash of a decided file, because a creative that was rejected may be deleted and uploaded again. Then the settings of operators for
 * the whole installation.
 */
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
        expires_at timestamptz not null,
        uuid uuid not null default gen_random_uuid()
      )`.execute(db);
    await sql`create index operator_sessions_operator on operator_sessions (operator_uuid)`.execute(db);
    await sql`create unique index operator_sessions_uuid on operator_sessions (uuid)`.execute(db);
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
        created_at timestamptz not null,
        file_sha256 text
      )`.execute(db);
    await sql`create index operator_acts_time on operator_acts (created_at desc, uuid desc)`.execute(db);
    await sql`
      create index operator_acts_company on operator_acts (company_uuid, created_at desc, uuid desc)
        where company_uuid is not null`.execute(db);
    const decisions = sql`entity in ('app', 'creative', 'creative_group', 'tracking_link')
      and action in ('Approved', 'Rejected')`;
    await sql`
      create index operator_acts_decisions on operator_acts (entity_uuid, created_at desc)
        where ${decisions}`.execute(db);
    await sql`
      create index operator_acts_company_decisions on operator_acts (company_uuid, created_at desc)
        where ${decisions}`.execute(db);
    await sql`
      create index operator_acts_file on operator_acts (file_sha256, created_at desc)
        where file_sha256 is not null`.execute(db);
    // Each is opened with a code that works once.
    await sql`
      create table viewer_sessions (
        uuid uuid primary key,
        operator_uuid uuid references operators (uuid),
        company_uuid uuid not null references companies (uuid),
        user_uuid uuid not null references users (uuid),
        code_hash text not null unique,
        opened_at timestamptz,
        ended_at timestamptz,
        created_at timestamptz not null,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index viewer_sessions_expiry on viewer_sessions (expires_at)`.execute(db);
    // One row while all bidding is stopped.
    await sql`
      create table bidding_stop (
        one boolean primary key default true check (one),
        operator text not null,
        reason text not null,
        stopped_at timestamptz not null
      )`.execute(db);
    await sql`
      create table payment_instructions (
        one boolean primary key default true check (one),
        instructions text not null
      )`.execute(db);
    await sql`create table operator_alerts (kind text primary key, mailed_at timestamptz not null)`.execute(
      db,
    );
    // Logos are named by their content, since invoices refer to the one that they were issued with.
    await sql`
      create table brand_logos (
        sha256 text primary key,
        width integer not null,
        height integer not null,
        screen bytea not null,
        icon bytea not null,
        print bytea not null
      )`.execute(db);
    await sql`
      create table brand (
        one boolean primary key default true check (one),
        settings jsonb not null,
        logo_sha256 text references brand_logos
      )`.execute(db);
  },
};
