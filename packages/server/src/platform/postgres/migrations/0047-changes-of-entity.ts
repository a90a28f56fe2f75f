import type { Migration } from 'kysely';
import { sql } from 'kysely';

/** Finds the changes of an entity, and its neighbouring changes, without reading those of the whole company. */
export const changesOfEntity: Migration = {
  async up(db) {
    await sql`create index changes_entity on changes (company_uuid, entity_uuid, created_at)`.execute(db);
  },
};
