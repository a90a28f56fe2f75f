import { type Migration, sql } from 'kysely';

/**
 * Sign-in of people: new passwords by mail, sessions and known devices, second factors, passkeys, single sign-on, confirmed mail addresses,
 * and API keys with scopes. Tables for accounts of every kind have no foreign key. Addresses from 0.1.0 count as confirmed, so that their
 * mails go on; its keys, and keys that it creates, read reports and do not expire. 0.1.0 asks for no second factor.
 */
export const signIn: Migration = {
  async up(db) {
    await sql`
      alter table users
        add column one_time_password_until timestamptz,
        add column totp_secret text,
        add column totp_enrolled boolean not null default false,
        add column totp_last_step bigint not null default 0,
        add column email_confirmed_at timestamptz default now()`.execute(db);
    await sql`alter table users alter column email_confirmed_at drop default`.execute(db);
    await sql`alter table companies add column second_factor_required boolean not null default false`.execute(
      db,
    );
    await sql`
      alter table refresh_tokens
        add column company_uuid uuid references companies,
        add column by_sso boolean not null default false`.execute(db);
    await sql`
      create table password_resets (
        token_hash text primary key,
        user_uuid uuid not null references users (uuid) on delete cascade,
        created_at timestamptz not null,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index password_resets_user on password_resets (user_uuid)`.execute(db);
    await sql`create index password_resets_expiry on password_resets (expires_at)`.execute(db);
    // Sessions of 0.1.0 have no row until they are renewed.
    await sql`
      create table sessions (
        uuid uuid primary key,
        account_uuid uuid not null,
        user_agent text not null,
        address text not null,
        started_at timestamptz not null,
        last_used_at timestamptz not null,
        confirmed_at timestamptz not null
      )`.execute(db);
    await sql`create index sessions_last_use on sessions (last_used_at)`.execute(db);
    await sql`
      create table known_devices (
        account_uuid uuid not null,
        device_hash text not null,
        last_used_at timestamptz not null,
        primary key (account_uuid, device_hash)
      )`.execute(db);
    // Wrong codes of the second factor since the last right one.
    await sql`
      create table wrong_codes (
        account_uuid uuid primary key,
        count int not null,
        last_at timestamptz not null
      )`.execute(db);
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
    // Challenges that a passkey has answered, until they expire.
    await sql`
      create table answered_challenges (
        challenge_hash text primary key,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index answered_challenges_expiry on answered_challenges (expires_at)`.execute(db);
    await sql`
      create table sso_providers (
        company_uuid uuid primary key references companies on delete cascade,
        issuer text not null,
        client_id text not null,
        client_secret text,
        role text not null,
        may_join boolean not null,
        is_required boolean not null,
        updated_at timestamptz not null
      )`.execute(db);
    await sql`
      create table sso_domains (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        domain text not null,
        token text not null,
        verified_at timestamptz,
        created_at timestamptz not null,
        record_checked_at timestamptz,
        record_seen_at timestamptz,
        record_notified_at timestamptz,
        unique (company_uuid, domain)
      )`.execute(db);
    await sql`
      create unique index sso_domains_verified on sso_domains (domain) where verified_at is not null`.execute(
      db,
    );
    await sql`
      create table sso_sign_ins (
        state_hash text primary key,
        browser_hash text not null,
        company_uuid uuid not null references companies on delete cascade,
        issuer text not null,
        link_user_uuid uuid references users on delete cascade,
        created_at timestamptz not null,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index sso_sign_ins_company on sso_sign_ins (company_uuid, created_at)`.execute(db);
    await sql`create index sso_sign_ins_expiry on sso_sign_ins (expires_at)`.execute(db);
    await sql`
      create table sso_identities (
        company_uuid uuid not null references companies on delete cascade,
        issuer text not null,
        subject text not null,
        user_uuid uuid not null references users on delete cascade,
        created_at timestamptz not null,
        primary key (company_uuid, issuer, subject),
        unique (company_uuid, issuer, user_uuid)
      )`.execute(db);
    await sql`create index sso_identities_user on sso_identities (user_uuid)`.execute(db);
    // How many mails an address got on a day.
    await sql`
      create table mail_counts (
        address_digest text not null,
        kind text not null,
        day date not null,
        count integer not null,
        primary key (address_digest, kind, day)
      )`.execute(db);
    await sql`create index mail_counts_day on mail_counts (day)`.execute(db);
    await sql`
      alter table api_tokens
        add column scopes text[] not null default '{reports}',
        add column calls_per_minute integer not null default 600,
        add column expires_at timestamptz,
        add column last_used_address text`.execute(db);
    // Changes that assistants proposed, and that wait for their confirmation.
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
    // When the request that holds a key was last seen running, by the clock of the database: a process that was killed renews none.
    for (const table of ['idempotency_keys', 'operator_idempotency_keys'])
      await sql`alter table ${sql.table(table)} add column renewed_at timestamptz`.execute(db);
  },
};
