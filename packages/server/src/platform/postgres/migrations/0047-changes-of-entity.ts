import { type Migration, sql } from 'kysely';

/** Finds the changes of an entity, and its neighbouring changes, without reading those of the whole company. */
export const changesOfEntity: Migration & { online: boolean } = {
  online: true,
  async up(db) {
    const index = sql`changes_entity on changes (company_uuid, entity_uuid, created_at)`;
    if (db.isTransaction) return void (await sql`create index ${index}`.execute(db));
    // An interrupted build leaves an index that is not valid.
    await sql`drop index concurrently if exists changes_entity`.execute(db);
    await sql`create index concurrently ${index}`.execute(db);
  },
};
