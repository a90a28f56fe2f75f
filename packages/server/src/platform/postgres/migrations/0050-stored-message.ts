import { type Migration, sql } from 'kysely';

/**
 * The last stored message of a partition: its number, and when the event stream received it. A stream that has lost its
 * last messages gives their numbers to others, which arrived at another time.
 */
export const storedMessage: Migration = {
  async up(db) {
    await sql`alter table event_partitions add column stored_message jsonb`.execute(db);
  },
};
