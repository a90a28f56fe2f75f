import { type Migration, sql } from 'kysely';

/** How long after a bid the in-app events of an app count, in days; apps without a row have the longest. */
export const appEventWindows: Migration = {
  async up(db) {
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
