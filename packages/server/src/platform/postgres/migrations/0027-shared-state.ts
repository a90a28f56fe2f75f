import { type Migration, sql } from 'kysely';

/**
 * State that processes share: secrets of servers without one in their environment, owners of exclusive work, the state that each reports of
 * itself for the operator console, and who counts which events. Spend is booked in the transaction that moves `booked_seq`, under the
 * epoch of the owner, so that a former owner books nothing. The table `event_claims` is not used any more; a later migration drops it.
 */
export const sharedState: Migration = {
  async up(db) {
    await sql`
      create table shared_secrets (
        name text primary key,
        value text not null,
        created_at timestamptz not null default now()
      )`.execute(db);
    await sql`
      create table leaders (
        name text primary key,
        holder uuid not null,
        epoch bigint not null,
        held_until timestamptz not null
      ) with (fillfactor = 50)`.execute(db);
    // Digests, so that a process with other secrets does not start next to the running ones.
    await sql`
      create table process_secrets (
        process text primary key,
        digests jsonb not null,
        seen_at timestamptz not null default clock_timestamp()
      )`.execute(db);
    await sql`
      create table process_states (
        process text primary key,
        roles jsonb not null,
        version text not null,
        started_at timestamptz not null,
        state jsonb not null,
        seen_at timestamptz not null default clock_timestamp()
      )`.execute(db);
    // `round` is the last round that booked events, with their months: its insert may still arrive after another owner took over. The
    // times of the last stored and booked messages are noted too: a stream that has lost its last messages gives their numbers to others.
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
        round jsonb,
        stored_message jsonb,
        booked_message jsonb,
        primary key (stream, partition)
      ) with (fillfactor = 50)`.execute(db);
    // Until when the events that a tracker acknowledged are counted; null of a tracker of 0.1.0.
    await sql`alter table tracker_states add column counted_at timestamptz`.execute(db);
  },
};
