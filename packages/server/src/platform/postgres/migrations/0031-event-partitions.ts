import { type Migration, sql } from 'kysely';

/**
 * Processes that count events, and the partitions of the event stream that each of them owns. Spend is booked in the
 * transaction that moves `booked_seq`, under the epoch of the owner, so that a former owner books nothing. The table
 * `event_claims` is not used any more; a later migration drops it.
 */
export const eventPartitions: Migration = {
  async up(db) {
    await sql`
      create table event_counters (
        uuid uuid primary key,
        stream text not null,
        seen_at timestamptz not null default clock_timestamp()
      ) with (fillfactor = 50)`.execute(db);
    await sql`
      create table event_partitions (
        stream text not null,
        partition integer not null,
        epoch bigint not null default 0,
        owner uuid,
        booked_seq bigint not null default 0,
        stored_seq bigint not null default 0 check (stored_seq <= booked_seq),
        primary key (stream, partition)
      ) with (fillfactor = 50)`.execute(db);
  },
};
