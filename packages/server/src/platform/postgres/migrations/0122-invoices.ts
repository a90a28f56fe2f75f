import { type Migration, sql } from 'kysely';

/**
 * Invoices and credit notes, which are never changed: a trigger rejects it, whichever program tries. Their numbers come from a
 * row for each prefix and year, which is locked until the transaction that takes a number ends, so that there are no gaps.
 */
export const invoices: Migration = {
  async up(db) {
    await sql`
      create table invoice_settings (
        one boolean primary key default true check (one),
        settings jsonb not null
      )`.execute(db);
    await sql`
      create table billing_details (
        company_uuid uuid primary key references companies on delete cascade,
        details jsonb not null
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
        unique (prefix, year, sequence)
      )`.execute(db);
    await sql`create index invoices_company on invoices (company_uuid, issued_at)`.execute(db);
    await sql`create unique index invoices_month on invoices (company_uuid, month) where kind = 'invoice'`.execute(
      db,
    );
    await sql`create index invoices_corrects on invoices (corrects_uuid) where corrects_uuid is not null`.execute(
      db,
    );
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
