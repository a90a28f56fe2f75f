import { type Migration, sql } from 'kysely';

/** Frequency caps of ad sets and campaigns, and what ad sets do with people whom no id identifies. */
export const frequencyCaps: Migration = {
  async up(db) {
    await sql`
      alter table adsets
        add column frequency_caps jsonb not null default '[]',
        add column people_without_id text not null default 'bid'`.execute(db);
    await sql`alter table campaigns add column frequency_caps jsonb not null default '[]'`.execute(db);
  },
};
