import { type Migration, sql } from 'kysely';

/** Requests of iOS apps by exchange, day (UTC), and whether a bid on them could be signed. Earlier releases do not use it. */
export const skadnetworkRequests: Migration = {
  async up(db) {
    await sql`
      create table skadnetwork_requests (
        slug text not null references ssps on delete cascade,
        day date not null,
        outcome text not null,
        requests bigint not null,
        primary key (slug, day, outcome)
      )`.execute(db);
  },
};
