import { type Migration, sql } from 'kysely';

/**
 * How each in-app event of an app is shown and whether it makes a payer, and which revenue of an app counts; apps without a row
 * count all. Earlier releases read and write neither.
 */
export const appEventSettings: Migration = {
  async up(db) {
    await sql`
      alter table app_event_names
        add column label text,
        add column offered boolean not null default true,
        add column payer text not null default 'purchase' check (payer in ('purchase', 'always', 'never'))`.execute(
      db,
    );
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
  },
};
