import { type Migration, sql } from 'kysely';

/**
 * Scheduled reports. A period has one report of a schedule, which is what keeps several servers from sending it twice. Earlier
 * releases neither read nor send them.
 */
export const reportSchedules: Migration = {
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
        created_at timestamptz not null
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
        unique (schedule_uuid, start_date, end_date)
      )`.execute(db);
    await sql`create index report_runs_due on report_runs (next_attempt_at) where status = 'waiting'`.execute(
      db,
    );
    await sql`create index report_runs_company on report_runs (company_uuid, attempted_at)`.execute(db);
    await sql`create index report_runs_age on report_runs (created_at)`.execute(db);
  },
};
