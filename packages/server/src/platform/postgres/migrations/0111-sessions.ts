import { type Migration, sql } from 'kysely';

/**
 * What is known of sessions, and the devices from which accounts were used. Without a foreign key, since both are for accounts of
 * every kind. Sessions of earlier releases have no row until they are renewed.
 */
export const sessions: Migration = {
  async up(db) {
    await sql`
      create table sessions (
        uuid uuid primary key,
        account_uuid uuid not null,
        user_agent text not null,
        address text not null,
        started_at timestamptz not null,
        last_used_at timestamptz not null,
        confirmed_at timestamptz not null
      )`.execute(db);
    await sql`create index sessions_last_use on sessions (last_used_at)`.execute(db);
    await sql`
      create table known_devices (
        account_uuid uuid not null,
        device_hash text not null,
        last_used_at timestamptz not null,
        primary key (account_uuid, device_hash)
      )`.execute(db);
    await sql`alter table operator_sessions add column uuid uuid not null default gen_random_uuid()`.execute(
      db,
    );
    await sql`create unique index operator_sessions_uuid on operator_sessions (uuid)`.execute(db);
  },
};
