import { type Migration, sql } from 'kysely';

/** Which process does what only one may do: a row for each kind of work, held until an instant. */
export const leaders: Migration = {
  async up(db) {
    await sql`
      create table leaders (
        name text primary key,
        holder uuid not null,
        epoch bigint not null,
        held_until timestamptz not null
      ) with (fillfactor = 50)`.execute(db);
  },
};
