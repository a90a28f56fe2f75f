import { type Migration, sql } from 'kysely';

/** Entities of an advertiser: apps, creatives, targets, links, ad sets, campaigns. */
export const advertising: Migration = {
  async up(db) {
    const owned = sql`
      uuid uuid primary key,
      company_uuid uuid not null references companies,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()`;
    await sql`
      create table apps (${owned},
        name text not null,
        description text not null,
        os text not null check (os in ('android', 'ios')),
        store_link text not null,
        bundle_id text not null,
        size_in_kb bigint,
        mobile_measurement_partner text not null,
        iab_category text not null,
        rating double precision,
        icon_link text,
        status text not null check (status in ('Moderation', 'Approved', 'Rejected')),
        rejection_reason text,
        deleted_at timestamptz
      )`.execute(db);
    await sql`
      create table internal_creatives (${owned},
        name text not null,
        type text not null check (type in ('Banner', 'Video', 'Playable', 'Native')),
        description text not null,
        sponsor text not null,
        title text not null,
        width integer,
        height integer,
        duration_ms integer,
        banner_file_uuid uuid references files,
        video_file_uuid uuid references files,
        playable_file_uuid uuid references files
      )`.execute(db);
    await sql`
      create table creatives (${owned},
        app_uuid uuid not null references apps,
        internal_creative_uuid uuid not null unique references internal_creatives,
        click_url text,
        view_url text,
        status text not null check (status in ('Moderation', 'Approved', 'Rejected')),
        rejection_reason text
      )`.execute(db);
    await sql`
      create table creative_groups (${owned},
        name text not null,
        description text not null,
        paused boolean not null default false,
        native_title text not null,
        native_description text not null,
        native_sponsor text not null
      )`.execute(db);
    await sql`
      create table creative_group_creatives (
        creative_group_uuid uuid not null references creative_groups on delete cascade,
        creative_uuid uuid not null references creatives,
        primary key (creative_group_uuid, creative_uuid)
      )`.execute(db);
    await sql`create index creative_group_creatives_creative on creative_group_creatives (creative_uuid)`.execute(
      db,
    );
    await sql`
      create table targets (${owned},
        app_uuid uuid not null references apps,
        name text not null,
        description text not null,
        settings jsonb not null
      )`.execute(db);
    await sql`
      create table tracking_links (${owned},
        app_uuid uuid not null references apps,
        name text not null,
        description text not null,
        click_url text not null,
        view_url text not null
      )`.execute(db);
    await sql`
      create table campaigns (${owned},
        app_uuid uuid not null references apps,
        name text not null,
        description text not null,
        start_date text,
        end_date text,
        status text not null check (status in ('Active', 'Paused'))
      )`.execute(db);
    await sql`
      create table adsets (${owned},
        campaign_uuid uuid references campaigns,
        target_uuid uuid not null references targets,
        tracking_link_uuid uuid not null references tracking_links,
        name text not null,
        description text not null,
        status text not null check (status in ('Active', 'Paused')),
        algo text not null,
        bet_cpm_micros bigint not null check (bet_cpm_micros >= 10000),
        bet_cpi_micros bigint,
        daily_budget_micros bigint,
        all_budget_micros bigint,
        black_list_bundles jsonb not null,
        white_list_bundles jsonb not null,
        bundle_bids jsonb not null
      )`.execute(db);
    await sql`
      create table adset_creative_groups (
        adset_uuid uuid not null references adsets on delete cascade,
        creative_group_uuid uuid not null references creative_groups,
        primary key (adset_uuid, creative_group_uuid)
      )`.execute(db);
    await sql`create index adset_creative_groups_group on adset_creative_groups (creative_group_uuid)`.execute(
      db,
    );
    await sql`create index adsets_campaign on adsets (campaign_uuid)`.execute(db);
    for (const table of [
      'apps',
      'internal_creatives',
      'creatives',
      'creative_groups',
      'targets',
      'tracking_links',
      'campaigns',
      'adsets',
    ]) {
      await sql`create index ${sql.ref(`${table}_company`)} on ${sql.table(table)} (company_uuid, created_at)`.execute(
        db,
      );
    }
    await sql`
      create table ssps (
        slug text primary key,
        name text not null,
        charge_on text not null check (charge_on in ('billing', 'win')),
        active boolean not null default true,
        created_at timestamptz not null default now()
      )`.execute(db);
  },
};
