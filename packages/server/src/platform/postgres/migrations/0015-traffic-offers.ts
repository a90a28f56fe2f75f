import type { Migration } from 'kysely';
import { sql } from 'kysely';

/** Offers by day and quarter of an hour in UTC: those that an ad set fitted, and, under the nil uuid, all there were. */
export const trafficOffers: Migration = {
  async up(db) {
    await sql`
      create table traffic_offers (
        adset_uuid uuid not null,
        day date not null,
        offers bigint[] not null,
        primary key (adset_uuid, day)
      ) with (fillfactor = 50)`.execute(db);
  },
};
