import { type Migration, sql } from 'kysely';

/** Labels by which a company sorts its creatives. */
export const creativeLabels: Migration = {
  async up(db) {
    await sql`alter table creatives add column labels text[] not null default '{}'`.execute(db);
  },
};
