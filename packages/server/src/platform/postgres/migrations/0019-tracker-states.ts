import type { Migration } from 'kysely';
import { sql } from 'kysely';

/** Whether each tracker's event log can take what new bids would bring: bidders of other processes read it. */
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
