import { type Migration, sql } from 'kysely';

/**
 * Which hashes an erasure of a device added, so that it can be revoked, and when it was. Earlier releases write and read neither: what
 * they erase cannot be revoked.
 */
export const erasureHashes: Migration = {
  async up(db) {
    await sql`alter table device_erasures add column revoked_at timestamptz`.execute(db);
    await sql`
      create table erasure_hashes (
        erasure_uuid uuid not null references device_erasures on delete cascade,
        hash text not null,
        primary key (erasure_uuid, hash)
      )`.execute(db);
    await sql`create index erasure_hashes_hash on erasure_hashes (hash)`.execute(db);
  },
};
