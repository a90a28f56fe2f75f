import { type Migration, sql } from 'kysely';

/** Goals of the bid strategies Target CPA and Target ROAS. An earlier release writes rows with the defaults. */
export const valueGoals: Migration = {
  async up(db) {
    await sql`alter table adsets
      add column goal_event text,
      add column cpa_micros bigint,
      add column roas_percent double precision,
      add column goal_window_days smallint not null default 7,
      add column goals_by_country jsonb not null default '[]'`.execute(db);
  },
};
