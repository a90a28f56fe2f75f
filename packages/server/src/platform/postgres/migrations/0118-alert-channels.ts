import { type Migration, sql } from 'kysely';

/**
 * Alerts. Each new notification has a row in `alert_outbox`, of its transaction, until its deliveries are written. Earlier
 * releases write none: their notifications are not sent.
 */
export const alertChannels: Migration = {
  async up(db) {
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
  },
};
