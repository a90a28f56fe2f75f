import type { Migration } from 'kysely';
import { sql } from 'kysely';

/** Which batch of which process has an event: of what several processes took, one stores it. */
export const eventClaims: Migration = {
  async up(db) {
    await sql`
      create table event_claims (
        bid_id uuid not null,
        kind smallint not null,
        batch uuid not null,
        primary key (bid_id, kind)
      )`.execute(db);
  },
};
