import { type Migration, sql } from 'kysely';

/** The path of an app's page in the App Store up to its number, in any of the forms that the console takes. */
const PATH = String.raw`(?i)^[^/?#]*(?://+)?[^/?#]*apple\.com(?::\d+)?/+(?:[a-z]{2}/+)?(?:app/+(?:[^/?#]+/+)?)?id(\d{5,12})(?:%20|\s)*(?:[/?#]|$)`;
/** The number as a parameter, as in older links. */
const PARAMETER = String.raw`(?i)[?&]id=(?:%20|\s)*(\d{5,12})(?:%20|\s)*(?:[&#]|$)`;

/**
 * SKAdNetwork and AdAttributionKit: the installation's ad networks, the exchanges and apps with which bids are signed, the numbers of ad
 * sets, requests of iOS apps by day and whether a bid on them could be signed, the meaning of conversion values by the first day of each version,
 * and postbacks, whose key lets each count once, with the counts of those that are not counted. A number outlives its ad set and its
 * company, since postbacks arrive long after the last ad: nothing deletes it. A postback is of no company where no one is known to advertise
 * the app.
 *
 * The number of an app in the App Store, by which postbacks name it, is null for other stores and for links without one. The database takes
 * it from the store link, so that 0.1.0, which does not know the column, keeps it right. An operator switches on signed bids for the app
 * with one number; the switch does not follow when the company changes the store link.
 */
export const skadnetwork: Migration = {
  async up(db) {
    await sql`
      create table skadnetwork_networks (
        id text primary key,
        private_key text,
        public_key text not null,
        iab_number int check (iab_number > 0),
        development_postbacks boolean not null default false,
        created_at timestamptz not null default now(),
        changed_at timestamptz not null default now()
      )`.execute(db);
    await sql`
      create table skadnetwork_exchanges (slug text primary key references ssps on delete cascade)`.execute(
      db,
    );
    await sql`
      create table skadnetwork_apps (
        app_uuid uuid primary key references apps on delete cascade,
        company_uuid uuid not null references companies on delete cascade,
        item_id bigint not null
      )`.execute(db);
    await sql`create index skadnetwork_apps_company on skadnetwork_apps (company_uuid)`.execute(db);
    await sql`create index skadnetwork_apps_item on skadnetwork_apps (item_id)`.execute(db);
    await sql`
      create table source_identifiers (
        uuid uuid primary key,
        company_uuid uuid not null,
        item_id bigint not null check (item_id > 0),
        number int not null check (number between 1110 and 9999 and number % 100 >= 10 and number % 1000 >= 100),
        adset_uuid uuid not null,
        allocated_at timestamptz not null,
        last_bid_at timestamptz,
        released_at timestamptz
      )`.execute(db);
    await sql`
      create unique index source_identifiers_number on source_identifiers (item_id, number)
      where released_at is null`.execute(db);
    await sql`
      create unique index source_identifiers_digits on source_identifiers (item_id, (number % 100))
      where released_at is null`.execute(db);
    await sql`
      create unique index source_identifiers_adset on source_identifiers (adset_uuid, item_id)
      where released_at is null`.execute(db);
    await sql`create index source_identifiers_item on source_identifiers (item_id, (number % 100))`.execute(
      db,
    );
    await sql`create index source_identifiers_company on source_identifiers (company_uuid)`.execute(db);
    await sql`
      create table skadnetwork_requests (
        slug text not null references ssps on delete cascade,
        day date not null,
        outcome text not null,
        requests bigint not null,
        primary key (slug, day, outcome)
      )`.execute(db);
    await sql`
      create table conversion_value_versions (
        app_uuid uuid not null references apps on delete cascade,
        valid_from text not null check (valid_from ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
        company_uuid uuid not null references companies on delete cascade,
        rules jsonb not null,
        primary key (app_uuid, valid_from)
      )`.execute(db);
    await sql`create index conversion_value_versions_company on conversion_value_versions (company_uuid)`.execute(
      db,
    );
    await sql`
      create table install_postbacks (
        framework text not null,
        transaction_id text not null,
        sequence_index smallint not null check (sequence_index between 0 and 2),
        received_at timestamptz not null,
        company_uuid uuid references companies on delete cascade,
        app_uuid uuid,
        adset_uuid uuid,
        item_id text not null,
        network_id text not null,
        source_identifier text not null,
        version text not null,
        conversion_type text not null,
        source_app_id text,
        source_domain text,
        fidelity smallint,
        did_win boolean not null,
        fine_value smallint,
        coarse_value text,
        country text,
        primary key (framework, transaction_id, sequence_index)
      )`.execute(db);
    await sql`
      create index install_postbacks_company on install_postbacks (company_uuid, received_at)`.execute(db);
    await sql`create index install_postbacks_received on install_postbacks (received_at)`.execute(db);
    await sql`
      create table rejected_install_postbacks (
        day text not null,
        item_id text not null,
        reason text not null,
        count bigint not null,
        last_at timestamptz not null,
        primary key (day, item_id, reason)
      )`.execute(db);
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
  },
};
