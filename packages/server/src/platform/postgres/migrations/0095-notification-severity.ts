import { type Migration, sql } from 'kysely';

/** How much a notification matters. Releases before this one read it from the title, and write none. */
export const notificationSeverity: Migration = {
  async up(db) {
    await sql`alter table notifications add column severity text`.execute(db);
  },
};
