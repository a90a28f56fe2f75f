import { type Migration, sql } from 'kysely';

/** What operators agree with a company or note on it, one-time passwords, and the last check of the ledger. */
export const companyTerms: Migration = {
  async up(db) {
    await sql`
      alter table companies
        add column credit_limit_micros bigint not null default 0 check (credit_limit_micros >= 0),
        add column suspension_reason text not null default '',
        add column notes text not null default ''`.execute(db);
    await sql`
      create trigger announce_credit after update of credit_limit_micros on companies
      for each statement execute function announce_bidding_change('funds')`.execute(db);
    await sql`alter table users add column one_time_password_until timestamptz`.execute(db);
    await sql`
      create table ledger_checks (
        uuid uuid primary key,
        result jsonb not null,
        created_at timestamptz not null
      )`.execute(db);
    await sql`
      create index ledger_transactions_manual on ledger_transactions (updated_at)
        where kind <> 'spend'`.execute(db);
  },
};
