import { type Migration, sql } from 'kysely';

/** The names of each app's in-app events, in bounded number: they come from outside. Apps that are deleted keep none. */
export const appEventNames: Migration = {
  async up(db) {
    await sql`
      create table app_event_names (
        company_uuid uuid not null references companies on delete cascade,
        app_uuid uuid not null,
        name text not null,
        first_seen_at timestamptz not null,
        primary key (app_uuid, name)
      )`.execute(db);
    await sql`create index app_event_names_company on app_event_names (company_uuid)`.execute(db);
  },
};
