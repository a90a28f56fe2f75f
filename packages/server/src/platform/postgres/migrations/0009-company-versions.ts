import type { Migration } from 'kysely';
import { sql } from 'kysely';

/** What tells a kept list from a stale one: another value after every change of the company's entities. */
export const companyVersions: Migration = {
  async up(db) {
    await sql`
      create table company_versions (
        company_uuid uuid primary key references companies (uuid) on delete cascade,
        version uuid not null
      ) with (fillfactor = 50)`.execute(db);
  },
};
