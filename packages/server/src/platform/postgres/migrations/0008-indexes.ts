import { type Migration, sql } from 'kysely';

/**
 * Indexes for the list of creatives, which reads the company's files, and for devices, which request a file by its uuid
 * alone.
 */
export const indexes: Migration = {
  async up(db) {
    await sql`create index files_company on files (company_uuid)`.execute(db);
    for (const column of ['banner_file_uuid', 'video_file_uuid', 'playable_file_uuid']) {
      await sql`
        create index ${sql.ref(`internal_creatives_${column}`)} on internal_creatives (${sql.ref(column)})
        where ${sql.ref(column)} is not null`.execute(db);
    }
  },
};
