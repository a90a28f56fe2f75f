import { type Migration, sql } from 'kysely';

/** An exchange whose price keys are lost keeps the format of its prices, and is off until it has keys again. */
export const lostPriceKeys: Migration = {
  async up(db) {
    await sql`
      alter table ssps
        drop constraint ssps_price_keys_check,
        add constraint ssps_price_keys_check check (
          price_format = 'plain' or not active or (price_encryption_key is not null and price_integrity_key is not null)
        )`.execute(db);
  },
};
