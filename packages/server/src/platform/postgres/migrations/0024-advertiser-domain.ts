import { type Migration, sql } from 'kysely';

/** The developer's own domain for an app, and when the server asked the company for it. */
export const advertiserDomain: Migration = {
  async up(db) {
    await sql`
      alter table apps add column advertiser_domain text, add column domain_asked_at timestamptz`.execute(db);
    await sql`
      create index apps_domain_wanted on apps (uuid)
      where advertiser_domain is null and domain_asked_at is null and deleted_at is null`.execute(db);
  },
};
