import { type Migration, sql } from 'kysely';

/**
 * Spend of a whole month as one transaction of the ledger: `hour` is the first hour with spend in it, `hours_until` the end of
 * the month; null for the spend of one hour.
 */
export const ledgerMonths: Migration = {
  async up(db) {
    await sql`alter table ledger_transactions add column hours_until timestamptz`.execute(db);
  },
};
