import { type Migration, sql } from 'kysely';

/** Whether the prices in the notices of an exchange have a decimal comma. */
export const decimalComma: Migration = {
  async up(db) {
    await sql`alter table ssps add column decimal_comma boolean not null default false`.execute(db);
  },
};
