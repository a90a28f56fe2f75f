import { type Migration, sql } from 'kysely';

/** Whether each tracker's event log has room for the events of new bids; read by bidders of other processes. */
export const trackerStates: Migration = {
  async up(db) {
    await sql`
      create table tracker_states (
        uuid uuid primary key,
        seen_at timestamptz not null,
        fault text
      )`.execute(db);
  },
};
