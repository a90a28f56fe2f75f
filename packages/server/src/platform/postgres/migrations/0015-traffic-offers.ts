import { type Migration, sql } from 'kysely';

/** Offers by day and quarter hour in UTC: of each ad set, and of all traffic under the nil uuid. */
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
