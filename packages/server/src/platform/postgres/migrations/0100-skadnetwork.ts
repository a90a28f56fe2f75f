import { type Migration, sql } from 'kysely';

/**
 * SKAdNetwork and AdAttributionKit: the installation's ad networks, the exchanges and apps with which bids are signed, and the numbers
 * of ad sets. A number outlives its ad set and its company, since postbacks arrive long after the last ad: nothing deletes it.
 * Earlier releases read and write none of this.
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
        company_uuid uuid not null references companies on delete cascade
      )`.execute(db);
    await sql`create index skadnetwork_apps_company on skadnetwork_apps (company_uuid)`.execute(db);
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
  },
};
