import { type Migration, sql } from 'kysely';

/** Claims of events: of several processes that accepted the same event, the one whose batch has the claim stores it. */
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
