import { type Migration, sql } from 'kysely';

/** Operator settings of an exchange, and currency rates. */
export const exchanges: Migration = {
  async up(db) {
    await sql`
      alter table ssps
        drop constraint ssps_charge_on_check,
        add constraint ssps_charge_on_check check (charge_on in ('billing', 'win', 'impression', 'first')),
        add column auction_type text not null default 'request' check (auction_type in ('request', 'first', 'second')),
        add column click_macro text not null default '',
        add column price_macro text not null default '\${AUCTION_PRICE}',
        add column loss_macro text not null default '\${AUCTION_LOSS}',
        add column timeout_ms integer,
        add column requests_per_second integer,
        add column secret text`.execute(db);
    await sql`
      create table currency_rates (
        currency text primary key check (currency ~ '^[A-Z]{3}$'),
        dollars double precision not null check (dollars > 0),
        updated_at timestamptz not null default now()
      )`.execute(db);
  },
};
