import { type Migration, sql } from 'kysely';

/** Change log and notifications. */
export const history: Migration = {
  async up(db) {
    await sql`
      create table notifications (
        uuid uuid primary key,
        company_uuid uuid not null references companies,
        kind text not null,
        title text not null,
        text text not null,
        entity_type text,
        entity_uuid uuid,
        read_at timestamptz,
        created_at timestamptz not null default now()
      )`.execute(db);
    await sql`create index notifications_company on notifications (company_uuid, created_at desc)`.execute(
      db,
    );
    await sql`
      create table changes (
        uuid uuid primary key,
        company_uuid uuid not null references companies,
        user_uuid uuid references users,
        author text not null,
        entity_type text not null,
        entity_uuid uuid not null,
        entity_name text not null,
        action text not null,
        fields jsonb not null,
        created_at timestamptz not null default now()
      )`.execute(db);
    await sql`create index changes_company on changes (company_uuid, created_at desc)`.execute(db);
  },
};
