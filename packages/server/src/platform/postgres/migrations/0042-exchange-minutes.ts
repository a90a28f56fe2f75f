import { type Migration, sql } from 'kysely';

/** What each process counted of each exchange, by minute, for the operator console. */
export const exchangeMinutes: Migration = {
  async up(db) {
    await sql`
      create table exchange_minutes (
        exchange text not null,
        minute timestamptz not null,
        process uuid not null,
        answered bigint not null,
        bids bigint not null,
        unreadable bigint not null,
        failed bigint not null,
        late bigint not null,
        no_bids jsonb not null,
        latencies jsonb not null,
        wins bigint not null,
        billings bigint not null,
        impressions bigint not null,
        charged bigint not null,
        losses jsonb not null,
        spend_micros bigint not null,
        primary key (exchange, minute, process)
      )`.execute(db);
    // Rows are inserted in the order of time, and deleted by it.
    await sql`create index exchange_minutes_minute on exchange_minutes using brin (minute)`.execute(db);
  },
};
