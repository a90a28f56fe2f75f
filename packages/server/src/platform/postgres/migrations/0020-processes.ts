import { type Migration, sql } from 'kysely';

/**
 * Notifications between processes. Every table that bids depend on publishes its changes: by a notification at the
 * commit, and by a row for processes that were not listening. Leases record what bids reserve, so that the rest of a
 * killed bidder's leases is freed soon.
 */
export const processes: Migration = {
  async up(db) {
    await sql`
      create table bidding_changes (
        id bigint generated always as identity primary key,
        kind text not null,
        at timestamptz not null default clock_timestamp()
      )`.execute(db);
    await sql`create index bidding_changes_at on bidding_changes (at)`.execute(db);
    await sql`
      create function announce_bidding_change() returns trigger language plpgsql as $$
      begin
        insert into bidding_changes (kind) values (tg_argv[0]);
        perform pg_notify('bidwell_bidding', tg_argv[0]);
        return null;
      end $$`.execute(db);
    for (const table of ['companies', 'company_versions', 'ssps', 'currency_rates'])
      await sql`
        create trigger announce after insert or update or delete on ${sql.table(table)}
        for each statement execute function announce_bidding_change('snapshot')`.execute(db);
    // Spend is booked to the ledger every two seconds and is not published: leases account for it.
    await sql`
      create trigger announce after insert or update on ledger_transactions
      for each row when (new.kind <> 'spend') execute function announce_bidding_change('funds')`.execute(db);

    await sql`alter table bidders add column ended boolean not null default false`.execute(db);
    // Null: written by an older server, and all of it may be reserved.
    await sql`alter table budget_leases add column held_micros bigint`.execute(db);
    await sql`alter table bid_outcomes add column ended_bids jsonb not null default '[]'`.execute(db);
    await sql`
      create table ended_bids (
        bid_id uuid primary key,
        at timestamptz not null default clock_timestamp()
      )`.execute(db);
    await sql`create index ended_bids_at on ended_bids (at)`.execute(db);
  },
};
