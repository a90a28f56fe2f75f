import { type Migration, sql } from 'kysely';

/** How many requests of an exchange name another country than their address is in, by the database that an operator brings. */
export const countryChecks: Migration = {
  async up(db) {
    await sql`
      alter table exchange_minutes
        add column country_checked bigint not null default 0,
        add column country_mismatched bigint not null default 0`.execute(db);
  },
};
