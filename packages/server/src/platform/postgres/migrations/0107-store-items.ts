import { type Migration, sql } from 'kysely';

/** The path of an app's page in the App Store up to its number, in any of the forms that the console takes. */
const PATH = String.raw`(?i)^[^/?#]*(?://+)?[^/?#]*apple\.com(?::\d+)?/+(?:[a-z]{2}/+)?(?:app/+(?:[^/?#]+/+)?)?id(\d{5,12})(?:%20|\s)*(?:[/?#]|$)`;
/** The number as a parameter, as in older links. */
const PARAMETER = String.raw`(?i)[?&]id=(?:%20|\s)*(\d{5,12})(?:%20|\s)*(?:[&#]|$)`;

/**
 * The number of an app in the App Store, by which postbacks name it; null for other stores and for links without one. The database takes
 * it from the store link, so that an earlier release, which knows nothing of it, keeps it right. What an operator switches on for signed
 * bids is the app with one number, and does not follow when the company changes the store link.
 */
export const storeItems: Migration = {
  async up(db) {
    await sql`
      create function store_item_of(os text, link text) returns bigint language sql immutable as $function$
        select case when os = 'ios' then coalesce(
          substring(link from ${sql.lit(PATH)}),
          case when split_part(link, '?', 1) !~* 'developer|artist' then substring(link from ${sql.lit(PARAMETER)}) end
        )::bigint end
      $function$`.execute(db);
    await sql`
      alter table apps add column store_item_id bigint
      generated always as (store_item_of(os, store_link)) stored`.execute(db);
    await sql`
      create index apps_store_item_id on apps (store_item_id) where store_item_id is not null`.execute(db);
    // Bundle ids of iOS apps are texts such as com.example.game: postbacks never have them.
    await sql`drop index if exists apps_store_item`.execute(db);
    await sql`alter table skadnetwork_apps add column item_id bigint`.execute(db);
    await sql`
      update skadnetwork_apps set item_id = store_item_of(apps.os, coalesce(apps.approved ->> 'store_link', apps.store_link))
      from apps where apps.uuid = skadnetwork_apps.app_uuid`.execute(db);
    await sql`delete from skadnetwork_apps where item_id is null`.execute(db);
    await sql`alter table skadnetwork_apps alter column item_id set not null`.execute(db);
    await sql`create index skadnetwork_apps_item on skadnetwork_apps (item_id)`.execute(db);
  },
};
