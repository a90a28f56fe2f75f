import { type Migration, sql } from 'kysely';

/**
 * In-app events of apps: their names, in bounded number since they come from outside, how each is shown and whether it makes a payer; how
 * many days after a bid they count (apps without a row have the longest); and which revenue counts (apps without a row count all).
 */
export const appEvents: Migration = {
  async up(db) {
    await sql`
      create table app_event_names (
        company_uuid uuid not null references companies on delete cascade,
        app_uuid uuid not null,
        name text not null,
        first_seen_at timestamptz not null,
        label text,
        offered boolean not null default true,
        payer text not null default 'purchase' check (payer in ('purchase', 'always', 'never')),
        primary key (app_uuid, name)
      )`.execute(db);
    await sql`create index app_event_names_company on app_event_names (company_uuid)`.execute(db);
    await sql`
      create index app_event_names_payer on app_event_names (company_uuid) where payer <> 'purchase'`.execute(
      db,
    );
    await sql`
      create table app_revenue_sources (
        app_uuid uuid primary key references apps on delete cascade,
        company_uuid uuid not null references companies on delete cascade,
        purchases boolean not null,
        ad_revenue boolean not null,
        check (purchases or ad_revenue)
      )`.execute(db);
    await sql`create index app_revenue_sources_company on app_revenue_sources (company_uuid)`.execute(db);
    await sql`
      create table app_event_windows (
        app_uuid uuid primary key references apps on delete cascade,
        company_uuid uuid not null references companies on delete cascade,
        click_days smallint not null check (click_days between 1 and 180),
        view_days smallint not null check (view_days between 1 and 180)
      )`.execute(db);
    await sql`create index app_event_windows_company on app_event_windows (company_uuid)`.execute(db);
  },
};
