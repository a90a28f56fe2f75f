import { type Migration, sql } from 'kysely';

/**
 * Erasures of devices. The id is encrypted, and deleted once the erasure is finished. `erased_ids` has hashes of ids and bids about which
 * nothing is stored any more, without anything that connects them; their key is made with the first erasure. `erasure_hashes` has those
 * that an erasure added, so that it can be revoked.
 */
export const deviceErasures: Migration = {
  async up(db) {
    await sql`
      create table device_erasures (
        uuid uuid primary key,
        id_hash text not null,
        device_id text,
        requested_at timestamptz not null,
        removed_at timestamptz,
        finished_at timestamptz,
        postbacks int not null default 0,
        events int not null default 0,
        clicks int not null default 0,
        revoked_at timestamptz
      )`.execute(db);
    await sql`create index device_erasures_requested on device_erasures (requested_at)`.execute(db);
    await sql`create index device_erasures_open on device_erasures (requested_at) where finished_at is null`.execute(
      db,
    );
    await sql`create table erased_ids (hash text primary key)`.execute(db);
    await sql`
      create table erasure_keys (
        one boolean primary key default true check (one),
        key bytea not null
      )`.execute(db);
    await sql`
      create table erasure_hashes (
        erasure_uuid uuid not null references device_erasures on delete cascade,
        hash text not null,
        primary key (erasure_uuid, hash)
      )`.execute(db);
    await sql`create index erasure_hashes_hash on erasure_hashes (hash)`.execute(db);
  },
};
