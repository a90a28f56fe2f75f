import { type Migration, sql } from 'kysely';

/** What each running process says of itself, for the operator console. */
export const processStates: Migration = {
  async up(db) {
    await sql`
      create table process_states (
        process text primary key,
        roles jsonb not null,
        version text not null,
        started_at timestamptz not null,
        state jsonb not null,
        seen_at timestamptz not null default clock_timestamp()
      )`.execute(db);
  },
};
