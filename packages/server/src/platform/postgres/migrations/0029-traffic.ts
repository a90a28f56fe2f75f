import { type Migration, sql } from 'kysely';

/**
 * The counts of each process for each exchange, by minute; the pages of publishers' apps in the stores, for the reports of all companies; and
 * settings of an exchange: which notices the device calls, so that their price does not lower a charge, and whether prices have a decimal
 * comma. An exchange whose price keys are lost keeps the format of its prices, and is off until it has keys again.
 */
export const traffic: Migration = {
  async up(db) {
    await sql`
      create table exchange_minutes (
        exchange text not null,
        minute timestamptz not null,
        process uuid not null,
        answered bigint not null,
        bids bigint not null,
        unreadable bigint not null,
        failed bigint not null,
        late bigint not null,
        no_bids jsonb not null,
        latencies jsonb not null,
        wins bigint not null,
        billings bigint not null,
        impressions bigint not null,
        charged bigint not null,
        losses jsonb not null,
        spend_micros bigint not null,
        primary key (exchange, minute, process)
      )`.execute(db);
    // Rows are inserted in the order of time, and deleted by it.
    await sql`create index exchange_minutes_minute on exchange_minutes using brin (minute)`.execute(db);
    // `app_ads`: the sellers in the app-ads.txt file of the developer; empty without a file, null where that is not known.
    await sql`
      create table publisher_pages (
        bundle text primary key,
        name text,
        icon_link text,
        fetched_at timestamptz not null,
        app_ads text[]
      )`.execute(db);
    await sql`
      alter table ssps
        add column device_notices text not null default 'none' check (device_notices in ('none', 'billing', 'all')),
        add column decimal_comma boolean not null default false,
        drop constraint ssps_price_keys_check,
        add constraint ssps_price_keys_check check (
          price_format = 'plain' or not active or (price_encryption_key is not null and price_integrity_key is not null)
        )`.execute(db);
  },
};
