import { type Migration, sql } from 'kysely';

/**
 * Finds the changes of an entity, and its neighbouring changes, without reading the changes of the whole company; and the months of a campaign
 * whose spend is one transaction each.
 */
const INDEXES = {
  changes_entity: sql`changes_entity on changes (company_uuid, entity_uuid, created_at)`,
  ledger_transactions_months: sql`ledger_transactions_months on ledger_transactions (campaign_uuid, hours_until)
    where hours_until is not null`,
};

/** Indexes of large tables, which are built while others write. */
export const onlineIndexes: Migration & { online: boolean } = {
  online: true,
  async up(db) {
    for (const [name, index] of Object.entries(INDEXES)) {
      if (db.isTransaction) {
        await sql`create index ${index}`.execute(db);
        continue;
      }
      // An interrupted build leaves an index that is not valid.
      await sql`drop index concurrently if exists ${sql.ref(name)}`.execute(db);
      await sql`create index concurrently ${index}`.execute(db);
    }
  },
};
