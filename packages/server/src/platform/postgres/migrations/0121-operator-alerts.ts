import { type Migration, sql } from 'kysely';

/** When operators were last warned of something by mail. Earlier releases send no such mails. */
export const operatorAlerts: Migration = {
  async up(db) {
    await sql`create table operator_alerts (kind text primary key, mailed_at timestamptz not null)`.execute(
      db,
    );
  },
};
