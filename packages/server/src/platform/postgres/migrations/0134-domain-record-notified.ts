import { type Migration, sql } from 'kysely';

/** When the owners were notified that the DNS record of a proven mail domain is gone. Earlier releases do not read it. */
export const domainRecordNotified: Migration = {
  async up(db) {
    await sql`alter table sso_domains add column record_notified_at timestamptz`.execute(db);
  },
};
