import { type Migration, sql } from 'kysely';

/** State shared by bidders: spend of ad sets, leases of bidders, outcomes of bids. Micros of a dollar. */
export const leases: Migration = {
  async up(db) {
    // No foreign key to ad sets: the spend of a deleted one still counts against its company's funds.
    await sql`
      create table adset_spend (
        adset_uuid uuid primary key,
        company_uuid uuid not null,
        ever_micros bigint not null,
        day date not null,
        day_micros bigint not null
      ) with (fillfactor = 50)`.execute(db);
    await sql`create index adset_spend_company on adset_spend (company_uuid)`.execute(db);
    await sql`
      create table adset_pace (
        adset_uuid uuid primary key,
        state jsonb not null
      ) with (fillfactor = 50)`.execute(db);
    await sql`
      create table bidders (
        uuid uuid primary key,
        seen_at timestamptz not null
      ) with (fillfactor = 50)`.execute(db);
    await sql`
      create table budget_leases (
        adset_uuid uuid not null,
        bidder_uuid uuid not null references bidders (uuid) on delete cascade,
        company_uuid uuid not null,
        micros bigint not null check (micros > 0),
        primary key (adset_uuid, bidder_uuid)
      ) with (fillfactor = 50)`.execute(db);
    await sql`create index budget_leases_company on budget_leases (company_uuid)`.execute(db);
    await sql`create index budget_leases_bidder on budget_leases (bidder_uuid)`.execute(db);
    await sql`
      create table bid_outcomes (
        bidder_tag text not null,
        batch uuid not null,
        at timestamptz not null,
        charged uuid[] not null,
        lost uuid[] not null,
        primary key (bidder_tag, batch)
      )`.execute(db);
    await sql`create table booked_batches (batch uuid primary key)`.execute(db);
  },
};
