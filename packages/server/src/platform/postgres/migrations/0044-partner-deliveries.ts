import { type Migration, sql } from 'kysely';

/**
 * What is sent to measurement partners: costs by day and app, with the settings of each company and the log of the uploads; and copies of
 * install postbacks, which need the body as the device sent it. Postbacks that an earlier release stored have none and are not copied.
 */
export const partnerDeliveries: Migration = {
  async up(db) {
    await sql`
      create table partner_costs (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        mmp text not null,
        is_enabled boolean not null,
        media_source text not null,
        token text,
        next_at timestamptz,
        accepted_at timestamptz,
        error text,
        partner_apps jsonb,
        unique (company_uuid, mmp)
      )`.execute(db);
    await sql`create index partner_costs_next on partner_costs (next_at) where is_enabled`.execute(db);
    await sql`
      create table partner_cost_days (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        mmp text not null,
        app_uuid uuid not null references apps on delete cascade,
        day text not null,
        time_zone text not null,
        sent_rows bytea,
        accepted_digest text,
        accepted_micros bigint,
        accepted_at timestamptz,
        unique (company_uuid, mmp, app_uuid, day)
      )`.execute(db);
    await sql`create index partner_cost_days_day on partner_cost_days (day)`.execute(db);
    await sql`create index partner_cost_days_app on partner_cost_days (app_uuid)`.execute(db);
    await sql`
      create table partner_cost_uploads (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        mmp text not null,
        day_uuid uuid not null references partner_cost_days on delete cascade,
        status text not null,
        rows int not null,
        spend_micros bigint not null,
        sent_micros bigint not null,
        digest text not null,
        job text,
        checks int not null default 0,
        matched_percent real,
        error text,
        created_at timestamptz not null,
        finished_at timestamptz
      )`.execute(db);
    await sql`
      create index partner_cost_uploads_company on partner_cost_uploads (company_uuid, mmp, created_at)`.execute(
      db,
    );
    await sql`create index partner_cost_uploads_day on partner_cost_uploads (day_uuid, created_at)`.execute(
      db,
    );
    await sql`create index partner_cost_uploads_created on partner_cost_uploads (created_at)`.execute(db);

    await sql`alter table install_postbacks add column body bytea`.execute(db);
    await sql`
      create table postback_copy_targets (
        app_uuid uuid not null references apps on delete cascade,
        mmp text not null,
        company_uuid uuid not null references companies on delete cascade,
        is_enabled boolean not null,
        url text,
        adattributionkit_url text,
        accepted_at timestamptz,
        primary key (app_uuid, mmp)
      )`.execute(db);
    await sql`create index postback_copy_targets_company on postback_copy_targets (company_uuid)`.execute(db);
    await sql`
      create table postback_copies (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        app_uuid uuid not null references apps on delete cascade,
        mmp text not null,
        framework text not null,
        transaction_id text not null,
        sequence_index smallint not null,
        status text not null,
        attempts int not null default 0,
        attempted_at timestamptz,
        next_attempt_at timestamptz,
        response_status int,
        response_start text,
        error text,
        created_at timestamptz not null,
        accepted_at timestamptz,
        unique (app_uuid, mmp, framework, transaction_id, sequence_index)
      )`.execute(db);
    await sql`create index postback_copies_app on postback_copies (app_uuid, created_at)`.execute(db);
    await sql`
      create index postback_copies_waiting on postback_copies (created_at) where status = 'waiting'`.execute(
      db,
    );
    await sql`create index postback_copies_company on postback_copies (company_uuid)`.execute(db);
    await sql`create index postback_copies_created on postback_copies (created_at)`.execute(db);
  },
};
