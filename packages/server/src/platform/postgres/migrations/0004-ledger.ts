import { type Migration, sql } from 'kysely';

/** The double-entry ledger, in micros of a dollar. */
export const ledger: Migration = {
  async up(db) {
    await sql`
      create table ledger_transactions (
        uuid uuid primary key,
        company_uuid uuid not null references companies,
        kind text not null check (kind in ('top_up', 'credit', 'debit', 'spend')),
        status text not null check (status in ('success', 'pending', 'declined')),
        amount_micros bigint not null,
        description text not null,
        campaign_uuid uuid references campaigns,
        hour timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        check ((kind = 'spend') = (campaign_uuid is not null and hour is not null)),
        unique (campaign_uuid, hour)
      )`.execute(db);
    await sql`create index ledger_transactions_company on ledger_transactions (company_uuid, created_at desc)`.execute(
      db,
    );
    await sql`
      create table ledger_entries (
        uuid uuid primary key,
        transaction_uuid uuid not null references ledger_transactions,
        company_uuid uuid not null references companies,
        account text not null check (account in ('wallet', 'funding', 'media')),
        amount_micros bigint not null,
        created_at timestamptz not null default now()
      )`.execute(db);
    await sql`create index ledger_entries_transaction on ledger_entries (transaction_uuid)`.execute(db);
    await sql`create index ledger_entries_account on ledger_entries (company_uuid, account)`.execute(db);
  },
};
