import { type Migration, sql } from 'kysely';

/**
 * Audiences, which are lists of device ids, with their imports and uploads. The digests of the ids are in a file of the file store. Ad sets
 * that exist do not leave out people who have the app, as before.
 */
export const audiences: Migration = {
  async up(db) {
    await sql`
      create table audiences (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        app_uuid uuid references apps on delete cascade,
        name text not null,
        description text not null,
        kind text not null,
        rule jsonb,
        source_url text,
        id_form text not null,
        hashed_letters text not null,
        is_installed boolean not null default false,
        size int not null default 0,
        id_hash text,
        file_uuid uuid,
        refreshed_at timestamptz,
        refresh_after timestamptz,
        created_at timestamptz not null,
        updated_at timestamptz not null
      )`.execute(db);
    await sql`create index audiences_company on audiences (company_uuid)`.execute(db);
    await sql`create unique index audiences_installed on audiences (app_uuid) where is_installed`.execute(db);
    await sql`create index audiences_refresh on audiences (refresh_after) where refresh_after is not null`.execute(
      db,
    );
    await sql`
      create table audience_uploads (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        audience_uuid uuid not null references audiences on delete cascade,
        mode text not null,
        bytes bigint not null,
        received bigint not null default 0,
        parts jsonb not null default '[]',
        is_open boolean not null default true,
        created_at timestamptz not null,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index audience_uploads_audience on audience_uploads (audience_uuid)`.execute(db);
    await sql`create index audience_uploads_expiry on audience_uploads (expires_at)`.execute(db);
    await sql`
      create table audience_imports (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        audience_uuid uuid not null references audiences on delete cascade,
        upload_uuid uuid,
        mode text not null,
        source text not null,
        parts jsonb not null default '[]',
        state text not null,
        attempts int not null default 0,
        claimed_until timestamptz,
        progress int not null default 0,
        report jsonb,
        error text,
        created_at timestamptz not null,
        finished_at timestamptz
      )`.execute(db);
    await sql`create index audience_imports_audience on audience_imports (audience_uuid, created_at desc)`.execute(
      db,
    );
    await sql`create index audience_imports_waiting on audience_imports (created_at) where state in ('waiting', 'running')`.execute(
      db,
    );
    await sql`create index audience_imports_company on audience_imports (company_uuid)`.execute(db);
    await sql`create index audience_uploads_company on audience_uploads (company_uuid)`.execute(db);
    await sql`
      alter table adsets
        add column audience_include jsonb not null default '[]',
        add column audience_exclude jsonb not null default '[]',
        add column audience_without_id text not null default 'bid',
        add column exclude_installed boolean not null default false`.execute(db);
    await sql`alter table device_erasures add column audiences int not null default 0`.execute(db);
    await sql`
      create index adsets_audiences on adsets (company_uuid)
      where audience_include <> '[]' or audience_exclude <> '[]'`.execute(db);
  },
};
