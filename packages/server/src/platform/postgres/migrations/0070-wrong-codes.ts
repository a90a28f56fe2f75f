import { type Migration, sql } from 'kysely';

/**
 * Wrong codes of the second factor of accounts since the last right one. Without a foreign key, since it is for accounts of
 * every kind.
 */
export const wrongCodes: Migration = {
  async up(db) {
    await sql`
      create table wrong_codes (
        account_uuid uuid primary key,
        count int not null,
        last_at timestamptz not null
      )`.execute(db);
  },
};
