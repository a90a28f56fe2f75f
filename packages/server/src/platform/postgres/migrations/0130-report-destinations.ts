import { type Migration, sql } from 'kysely';

/** Webhooks and S3 buckets that scheduled reports are sent to, and what became of each report there. */
export const reportDestinations: Migration = {
  async up(db) {
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
    await sql`alter table report_schedules add column destination_uuids uuid[] not null default '{}'`.execute(
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
