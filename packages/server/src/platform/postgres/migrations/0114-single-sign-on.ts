import { type Migration, sql } from 'kysely';

/** Single sign-on of companies: their provider, mail domains, sign-ins under way and identities. */
export const singleSignOn: Migration = {
  async up(db) {
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
    await sql`alter table refresh_tokens add column by_sso boolean not null default false`.execute(db);
  },
};
