import { type Migration, sql } from 'kysely';

/** The operators' switch that stops all bidding: one row while it is on. */
export const biddingStop: Migration = {
  async up(db) {
    await sql`
      create table bidding_stop (
        one boolean primary key default true check (one),
        operator text not null,
        reason text not null,
        stopped_at timestamptz not null
      )`.execute(db);
  },
};
