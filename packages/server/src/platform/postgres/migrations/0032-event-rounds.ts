import { type Migration, sql } from 'kysely';

/**
 * The last round that booked events of a partition, with the months of its events: its insert may still arrive after
 * another owner took over.
 */
export const eventRounds: Migration = {
  async up(db) {
    await sql`alter table event_partitions add column round jsonb`.execute(db);
  },
};
