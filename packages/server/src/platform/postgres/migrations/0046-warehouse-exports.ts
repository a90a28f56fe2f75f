import { type Migration, sql } from 'kysely';

/**
 * The hourly export of a company's events to its bucket, and the files of each kind and hour. Hours are those in which events were stored, so
 * that late events are in files of a later hour. An hour has one row of a kind, however many servers plan it.
 */
export const warehouseExports: Migration = {
  async up(db) {
    await sql`
      create table warehouse_exports (
        company_uuid uuid primary key references companies on delete cascade,
        destination_uuid uuid not null references report_destinations,
        kinds text[] not null,
        is_enabled boolean not null,
        planned_until timestamptz not null,
        created_at timestamptz not null
      )`.execute(db);
    await sql`create index warehouse_exports_planned on warehouse_exports (planned_until) where is_enabled`.execute(
      db,
    );
    await sql`create index warehouse_exports_destination on warehouse_exports (destination_uuid)`.execute(db);
    await sql`
      create table warehouse_runs (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        kind text not null,
        stored_from timestamptz not null,
        stored_before timestamptz not null,
        status text not null,
        attempts int not null default 0,
        files jsonb,
        error text,
        finished_at timestamptz,
        unique (company_uuid, kind, stored_from)
      )`.execute(db);
    await sql`create index warehouse_runs_latest on warehouse_runs (company_uuid, stored_from desc)`.execute(
      db,
    );
    await sql`create index warehouse_runs_unstored on warehouse_runs (company_uuid, stored_from) where status <> 'stored'`.execute(
      db,
    );
    await sql`create index warehouse_runs_age on warehouse_runs (stored_from)`.execute(db);
  },
};
