import { type Migration, sql } from 'kysely';

/** Pages of publishers' apps in the stores, for the reports of all companies. */
export const publisherPages: Migration = {
  async up(db) {
    await sql`
      create table publisher_pages (
        bundle text primary key,
        name text,
        icon_link text,
        fetched_at timestamptz not null
      )`.execute(db);
  },
};
