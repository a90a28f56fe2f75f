import { type Migration, sql } from 'kysely';

/** Version of a company's entities, part of the key of cached lists: another value after every change. */
export const companyVersions: Migration = {
  async up(db) {
    await sql`
      create table company_versions (
        company_uuid uuid primary key references companies (uuid) on delete cascade,
        version uuid not null
      ) with (fillfactor = 50)`.execute(db);
  },
};
