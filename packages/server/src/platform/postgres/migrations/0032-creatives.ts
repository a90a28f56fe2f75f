import { type Migration, sql } from 'kysely';

/**
 * Labels by which a company sorts its creatives, the exits that were found in a playable's page (null for other creatives and for uploads
 * to 0.1.0), and the storage of a company's files: null for the quota of the settings. `unused_files` has stored files without a row in
 * `files`: of uploads that have not ended, and of deleted rows. Triggers keep the table, whichever version of the server writes; what
 * stays in it for a day is removed from the file store.
 */
export const creatives: Migration = {
  async up(db) {
    await sql`alter table creatives add column labels text[] not null default '{}'`.execute(db);
    await sql`alter table internal_creatives add column exits jsonb`.execute(db);
    await sql`alter table companies add column storage_quota_bytes bigint check (storage_quota_bytes >= 0)`.execute(
      db,
    );
    await sql`
      create table unused_files (
        uuid uuid primary key,
        since timestamptz not null default now()
      )`.execute(db);
    await sql`
      create function follow_unused_files() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then delete from unused_files where uuid = new.uuid;
        else insert into unused_files (uuid) values (old.uuid) on conflict do nothing;
        end if;
        return null;
      end $$`.execute(db);
    await sql`
      create trigger follow_unused after insert or delete on files
      for each row execute function follow_unused_files()`.execute(db);
    // Whether the hosts of tracking links can be reached, for all companies together.
    await sql`
      create table tracking_hosts (
        origin text primary key,
        checked_at timestamptz not null,
        failures int not null,
        failing_since timestamptz
      )`.execute(db);
  },
};
