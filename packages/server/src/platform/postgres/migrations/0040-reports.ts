import { type Migration, sql } from 'kysely';

/**
 * Scheduled reports, the webhooks and S3 buckets that they are sent to, and the outcome at each. A period has one report of a schedule,
 * which is what keeps several servers from sending it twice. `undeliverable` are people whose address the mail server refuses for good,
 * whom further tries leave out.
 */
export const reports: Migration = {
  async up(db) {
    // Not jsonb, which would change the order of a report's levels.
    await sql`
      create table report_schedules (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        name text not null,
        report json not null,
        format text not null,
        frequency text not null,
        weekday int,
        hour int not null,
        user_uuids uuid[] not null,
        unsubscribed uuid[] not null default '{}',
        is_enabled boolean not null,
        next_at timestamptz,
        created_at timestamptz not null,
        destination_uuids uuid[] not null default '{}'
      )`.execute(db);
    await sql`create index report_schedules_company on report_schedules (company_uuid, created_at)`.execute(
      db,
    );
    await sql`create index report_schedules_next on report_schedules (next_at)`.execute(db);
    // Days as text: a driver would make them instants of the server's time zone.
    await sql`
      create table report_runs (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        schedule_uuid uuid not null references report_schedules on delete cascade,
        start_date text not null,
        end_date text not null,
        status text not null,
        attempts int not null default 0,
        attempted_at timestamptz,
        next_attempt_at timestamptz,
        rows int,
        mailed_to uuid[] not null default '{}',
        error text,
        created_at timestamptz not null,
        finished_at timestamptz,
        undeliverable uuid[] not null default '{}',
        unique (schedule_uuid, start_date, end_date)
      )`.execute(db);
    await sql`create index report_runs_due on report_runs (next_attempt_at) where status = 'waiting'`.execute(
      db,
    );
    await sql`create index report_runs_company on report_runs (company_uuid, attempted_at)`.execute(db);
    await sql`create index report_runs_age on report_runs (created_at)`.execute(db);
    await sql`create index report_runs_latest on report_runs (schedule_uuid, created_at desc, uuid desc)`.execute(
      db,
    );
    await sql`
      create table report_destinations (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        type text not null,
        name text not null,
        url text not null,
        region text,
        bucket text,
        prefix text,
        secret text,
        created_at timestamptz not null
      )`.execute(db);
    await sql`create index report_destinations_company on report_destinations (company_uuid, created_at)`.execute(
      db,
    );
    // One row for each report and destination, of the last try.
    await sql`
      create table report_deliveries (
        run_uuid uuid not null references report_runs on delete cascade,
        destination_uuid uuid not null references report_destinations on delete cascade,
        company_uuid uuid not null references companies on delete cascade,
        is_delivered boolean not null,
        attempts int not null,
        attempted_at timestamptz not null,
        response_status int,
        response_start text,
        error text,
        primary key (run_uuid, destination_uuid)
      )`.execute(db);
    await sql`create index report_deliveries_destination on report_deliveries (destination_uuid)`.execute(db);
    await sql`create index report_deliveries_company on report_deliveries (company_uuid)`.execute(db);
  },
};
