import { type Migration, sql } from 'kysely';

/** Archiving: an archived entity does not run, and can be restored. Reports still name deleted ones. */
export const archive: Migration = {
  async up(db) {
    for (const table of [
      'apps',
      'creatives',
      'creative_groups',
      'targets',
      'tracking_links',
      'campaigns',
      'adsets',
    ]) {
      await sql`alter table ${sql.table(table)} add column archived_at timestamptz`.execute(db);
    }
    await sql`create index changes_deleted on changes (entity_uuid) where action = 'delete'`.execute(db);
  },
};
