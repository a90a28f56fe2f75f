import { type Migration, sql } from 'kysely';

/** How each exchange sends its clearing prices, its keys (Base64) where they are encrypted, and the charge for an unreadable one. */
export const exchangePrices: Migration = {
  async up(db) {
    await sql`
      alter table ssps
        add column price_format text not null default 'plain' check (price_format in ('plain', 'google-encrypted')),
        add column price_encryption_key text,
        add column price_integrity_key text,
        add column unreadable_price text not null default 'bid' check (unreadable_price in ('bid', 'hold', 'zero')),
        add constraint ssps_price_keys_check check (
          price_format = 'plain' or (price_encryption_key is not null and price_integrity_key is not null)
        )`.execute(db);
  },
};
