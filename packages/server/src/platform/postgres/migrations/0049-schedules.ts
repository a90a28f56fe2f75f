import { type Migration, sql } from 'kysely';

/** The hours of a week in which an ad set bids, by the clock of the company or of the device; null is always. */
export const schedules: Migration = {
  async up(db) {
    await sql`
      alter table adsets
        add column hours jsonb,
        add column hours_zone text not null default 'company'`.execute(db);
  },
};
