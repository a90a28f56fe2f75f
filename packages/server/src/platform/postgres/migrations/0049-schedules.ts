import { type Migration, sql } from 'kysely';

/** The hours of a week in which an ad set bids, factors on its bids, bids by country, and the times of a campaign's first and last day in its company's time zone. */
export const schedules: Migration = {
  async up(db) {
    await sql`
      alter table adsets
        add column hours jsonb,
        add column hours_zone text not null default 'company',
        add column bid_multipliers jsonb not null default '[]',
        add column countries jsonb not null default '[]'`.execute(db);
    await sql`alter table campaigns add column start_time text, add column end_time text`.execute(db);
  },
};
