import { type Migration, sql } from 'kysely';

/**
 * A company's margin on the media cost, its part of posted spend, and the account of the ledger that it is booked on.
 * Releases without margins post the whole spend to `media`; a server of this release corrects that.
 */
export const margin: Migration = {
  async up(db) {
    await sql`
      alter table companies
        add column margin_basis_points int not null default 0
        check (margin_basis_points between 0 and 10000)`.execute(db);
    await sql`alter table ledger_transactions add column margin_micros bigint not null default 0`.execute(db);
    await sql`
      alter table ledger_entries
        drop constraint ledger_entries_account_check,
        add constraint ledger_entries_account_check
          check (account in ('wallet', 'funding', 'media', 'margin')) not valid`.execute(db);
  },
};
