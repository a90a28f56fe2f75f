import { type Migration, sql } from 'kysely';

/**
 * The terms and notes of a company, its margin on the media cost, checks of the ledger, and invoices, which are never
 * changed: a trigger rejects it, whichever program tries. Their numbers come from a row for each prefix and year, which is locked until
 * the transaction that takes a number ends, so that there are no gaps. 0.1.0 posts the whole spend to `media`; a later server corrects that.
 */
export const money: Migration = {
  async up(db) {
    await sql`
      alter table companies
        add column credit_limit_micros bigint not null default 0 check (credit_limit_micros >= 0),
        add column suspension_reason text not null default '',
        add column notes text not null default '',
        add column margin_basis_points int not null default 0
          check (margin_basis_points between 0 and 10000)`.execute(db);
    await sql`
      create trigger announce_credit after update of credit_limit_micros on companies
      for each statement execute function announce_bidding_change('funds')`.execute(db);
    await sql`
      create table ledger_checks (
        uuid uuid primary key,
        result jsonb not null,
        created_at timestamptz not null
      )`.execute(db);
    // Spend of a whole month as one transaction: `hour` is the first hour with spend, `hours_until` the end of the month.
    await sql`
      alter table ledger_transactions
        add column margin_micros bigint not null default 0,
        add column hours_until timestamptz`.execute(db);
    await sql`
      create index ledger_transactions_manual on ledger_transactions (updated_at)
        where kind <> 'spend'`.execute(db);
    await sql`
      alter table ledger_entries
        drop constraint ledger_entries_account_check,
        add constraint ledger_entries_account_check
          check (account in ('wallet', 'funding', 'media', 'margin')) not valid`.execute(db);
    await sql`
      create table invoice_settings (
        one boolean primary key default true check (one),
        settings jsonb not null
      )`.execute(db);
    await sql`
      create table billing_details (
        company_uuid uuid primary key references companies on delete cascade,
        details jsonb not null,
        email_confirmed_at timestamptz
      )`.execute(db);
    await sql`
      create table invoice_rates (
        currency text not null,
        day text not null,
        per_dollar_millionths bigint not null check (per_dollar_millionths > 0),
        source text not null,
        primary key (currency, day)
      )`.execute(db);
    await sql`
      create table invoice_numbers (
        prefix text not null,
        year integer not null,
        last integer not null,
        primary key (prefix, year)
      )`.execute(db);
    await sql`
      create table invoices (
        uuid uuid primary key,
        company_uuid uuid not null references companies,
        kind text not null,
        number text not null unique,
        prefix text not null,
        year integer not null,
        sequence integer not null,
        month text,
        period_from timestamptz,
        period_before timestamptz,
        corrects_uuid uuid references invoices,
        charged_micros bigint not null,
        net_cents bigint not null,
        tax_cents bigint not null,
        snapshot jsonb not null,
        issued_at timestamptz not null,
        logo_sha256 text references brand_logos,
        unique (prefix, year, sequence)
      )`.execute(db);
    await sql`create index invoices_company on invoices (company_uuid, issued_at)`.execute(db);
    await sql`create unique index invoices_month on invoices (company_uuid, month) where kind = 'invoice'`.execute(
      db,
    );
    await sql`create index invoices_corrects on invoices (corrects_uuid) where corrects_uuid is not null`.execute(
      db,
    );
    await sql`create index invoices_logo on invoices (logo_sha256) where logo_sha256 is not null`.execute(db);
    await sql`
      create function reject_invoice_change() returns trigger language plpgsql as $$
      begin
        raise exception 'invoices are never changed';
      end $$`.execute(db);
    await sql`
      create trigger reject_invoice_change before update or delete on invoices
      for each row execute function reject_invoice_change()`.execute(db);
  },
};
