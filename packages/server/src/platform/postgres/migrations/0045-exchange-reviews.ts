import { type Migration, sql } from 'kysely';

/** How creatives are submitted to exchanges that review them, and what these say of each creative. */
export const exchangeReviews: Migration = {
  async up(db) {
    await sql`
      create table exchange_review_accounts (
        slug text primary key references ssps on delete cascade,
        is_enabled boolean not null,
        account text not null,
        login text not null,
        secret text,
        poll_at timestamptz,
        poll_cursor text,
        quiet_polls int not null default 0,
        accepted_at timestamptz,
        error text,
        paused_until timestamptz
      )`.execute(db);
    await sql`
      create table exchange_reviews (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        creative_uuid uuid not null references creatives on delete cascade,
        slug text not null references ssps on delete cascade,
        creative_updated_at timestamptz not null,
        version text not null,
        state text not null,
        reasons jsonb not null default '[]',
        error text,
        is_held boolean not null default false,
        sent_version text,
        sent_at timestamptz,
        decided_at timestamptz,
        used_at timestamptz,
        counted_at timestamptz,
        changed_at timestamptz not null,
        unique (creative_uuid, slug)
      )`.execute(db);
    await sql`create index exchange_reviews_company on exchange_reviews (company_uuid)`.execute(db);
    await sql`create index exchange_reviews_state on exchange_reviews (slug, state, changed_at)`.execute(db);
  },
};
