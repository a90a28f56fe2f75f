import { type Migration, sql } from 'kysely';

/**
 * Notifications have a severity, which 0.1.0 reads from the title and does not write, and may be of one person of a company: they end with
 * the membership, and 0.1.0 shows them to all people of the company. Each new notification has a row in `alert_outbox`, of its transaction,
 * until its deliveries to channels and mails are written; 0.1.0 writes none, so its notifications are not sent. Rules alert a company by
 * figures.
 */
export const alerts: Migration = {
  async up(db) {
    await sql`
      alter table notifications
        add column severity text,
        add column user_uuid uuid,
        add constraint notifications_membership foreign key (company_uuid, user_uuid)
          references memberships on delete cascade not valid`.execute(db);
    await sql`
      create index notifications_own on notifications (company_uuid, user_uuid)
      where user_uuid is not null`.execute(db);
    await sql`
      create table alert_outbox (
        notification_uuid uuid primary key references notifications on delete cascade,
        company_uuid uuid not null references companies on delete cascade,
        created_at timestamptz not null
      )`.execute(db);
    await sql`create index alert_outbox_company on alert_outbox (company_uuid, created_at)`.execute(db);
    await sql`
      create table alert_channels (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        type text not null,
        name text not null,
        target text not null,
        secret text,
        kinds text[] not null,
        is_enabled boolean not null default true,
        is_given_up boolean not null default false,
        failing_since timestamptz,
        delivered_at timestamptz,
        created_at timestamptz not null
      )`.execute(db);
    await sql`create index alert_channels_company on alert_channels (company_uuid, created_at)`.execute(db);
    await sql`
      create table alert_deliveries (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        channel_uuid uuid not null references alert_channels on delete cascade,
        message jsonb not null,
        status text not null,
        attempts int not null default 0,
        attempted_at timestamptz,
        next_attempt_at timestamptz,
        response_status int,
        response_start text,
        error text,
        created_at timestamptz not null
      )`.execute(db);
    await sql`create index alert_deliveries_due on alert_deliveries (next_attempt_at) where status = 'waiting'`.execute(
      db,
    );
    await sql`create index alert_deliveries_channel on alert_deliveries (channel_uuid, created_at)`.execute(
      db,
    );
    await sql`create index alert_deliveries_company on alert_deliveries (company_uuid)`.execute(db);
    await sql`create index alert_deliveries_age on alert_deliveries (created_at)`.execute(db);
    // Alerts by mail: the preferences of each person for a company, and the alerts due to be mailed.
    await sql`
      create table alert_preferences (
        company_uuid uuid not null,
        user_uuid uuid not null,
        kinds text[],
        frequency text not null,
        daily_hour int not null,
        quiet_from int,
        quiet_until int,
        time_zone text,
        mailed_at timestamptz,
        primary key (company_uuid, user_uuid),
        foreign key (company_uuid, user_uuid) references memberships on delete cascade
      )`.execute(db);
    await sql`
      create table alert_mail_items (
        company_uuid uuid not null,
        user_uuid uuid not null,
        notification_uuid uuid not null references notifications on delete cascade,
        due_at timestamptz not null,
        attempts int not null default 0,
        primary key (company_uuid, user_uuid, notification_uuid),
        foreign key (company_uuid, user_uuid) references memberships on delete cascade
      )`.execute(db);
    await sql`create index alert_mail_items_due on alert_mail_items (due_at)`.execute(db);
    await sql`create index alert_mail_items_notification on alert_mail_items (notification_uuid)`.execute(db);
    await sql`
      create table alert_settings (
        company_uuid uuid primary key references companies on delete cascade,
        balance_low_micros bigint
      )`.execute(db);
    await sql`
      create table alert_rules (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        metric text not null,
        scope text not null,
        scope_uuid uuid,
        days int not null,
        direction text not null,
        threshold double precision not null,
        minimum_of text,
        minimum double precision,
        hour int,
        is_enabled boolean not null,
        state text not null,
        value double precision,
        volume double precision,
        from_date text,
        to_date text,
        checked_at timestamptz,
        met_since timestamptz,
        next_check_at timestamptz,
        created_at timestamptz not null
      )`.execute(db);
    await sql`create index alert_rules_company on alert_rules (company_uuid, created_at)`.execute(db);
    await sql`create index alert_rules_due on alert_rules (next_check_at) where next_check_at is not null`.execute(
      db,
    );
  },
};
