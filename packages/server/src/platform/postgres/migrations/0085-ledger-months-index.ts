import { type Migration, sql } from 'kysely';

/** Finds the months of a campaign whose spend is one transaction each. */
export const ledgerMonthsIndex: Migration & { online: boolean } = {
  online: true,
  async up(db) {
    const index = sql`ledger_transactions_months on ledger_transactions (campaign_uuid, hours_until)
      where hours_until is not null`;
    if (db.isTransaction) return void (await sql`create index ${index}`.execute(db));
    // An interrupted build leaves an index that is not valid.
    await sql`drop index concurrently if exists ledger_transactions_months`.execute(db);
    await sql`create index concurrently ${index}`.execute(db);
  },
};
