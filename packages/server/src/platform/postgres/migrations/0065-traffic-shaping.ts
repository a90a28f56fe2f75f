import { type Migration, sql } from 'kysely';

/** Which requests of an exchange with a limit were read, by segment. */
export const trafficShaping: Migration = {
  async up(db) {
    await sql`alter table exchange_minutes add column shaping jsonb`.execute(db);
  },
};
