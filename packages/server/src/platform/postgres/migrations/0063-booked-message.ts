import { type Migration, sql } from 'kysely';

/**
 * The last booked message of a partition: its number, and the latest time at which the event stream received one until then.
 * A stream that has lost its last messages gives their numbers to others, which arrived later and are not booked.
 */
export const bookedMessage: Migration = {
  async up(db) {
    await sql`alter table event_partitions add column booked_message jsonb`.execute(db);
  },
};
