import { type Migration, sql } from 'kysely';

/** What operators set as the storage of a company's files; null for the quota of the settings. */
export const storageQuota: Migration = {
  async up(db) {
    await sql`alter table companies add column storage_quota_bytes bigint check (storage_quota_bytes >= 0)`.execute(
      db,
    );
  },
};
