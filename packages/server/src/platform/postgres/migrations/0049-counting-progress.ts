import { type Migration, sql } from 'kysely';

/**
 * Until when the events that a tracker acknowledged are counted; null of a tracker of an earlier release. Bidders keep the
 * reservations of bids until then.
 */
export const countingProgress: Migration = {
  async up(db) {
    await sql`alter table tracker_states add column counted_at timestamptz`.execute(db);
  },
};
