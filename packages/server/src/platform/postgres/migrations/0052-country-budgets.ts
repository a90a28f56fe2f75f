import { type Migration, sql } from 'kysely';

/**
 * The accounts of daily budgets of countries: spend in the company's day, the state of even pacing, and the leases of bidders. They are part
 * of no sum of a company, whose funds the budgets of ad sets count against. No foreign keys to ad sets, as those of spend.
 */
export const countryBudgets: Migration = {
  async up(db) {
    await sql`
      create table country_spend (
        adset_uuid uuid not null,
        country text not null,
        company_uuid uuid not null,
        day date not null,
        day_micros bigint not null,
        pace jsonb,
        created_at timestamptz not null default clock_timestamp(),
        primary key (adset_uuid, country)
      ) with (fillfactor = 50)`.execute(db);
    await sql`create index country_spend_company on country_spend (company_uuid)`.execute(db);
    await sql`
      create table country_leases (
        adset_uuid uuid not null,
        country text not null,
        bidder_uuid uuid not null references bidders (uuid) on delete cascade,
        micros bigint not null check (micros > 0),
        held_micros bigint not null,
        held_ms int not null,
        primary key (adset_uuid, country, bidder_uuid)
      ) with (fillfactor = 50)`.execute(db);
    await sql`create index country_leases_bidder on country_leases (bidder_uuid)`.execute(db);
  },
};
