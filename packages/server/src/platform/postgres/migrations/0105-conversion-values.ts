import { type Migration, sql } from 'kysely';

/** What the conversion values of an app mean, by the first day of each version. Earlier releases read and write none. */
export const conversionValues: Migration = {
  async up(db) {
    await sql`
      create table conversion_value_versions (
        app_uuid uuid not null references apps on delete cascade,
        valid_from text not null check (valid_from ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
        company_uuid uuid not null references companies on delete cascade,
        rules jsonb not null,
        primary key (app_uuid, valid_from)
      )`.execute(db);
    await sql`create index conversion_value_versions_company on conversion_value_versions (company_uuid)`.execute(
      db,
    );
  },
};
