import { type Migration, sql } from 'kysely';

/**
 * Stored files without a row in `files`: of uploads that have not ended, and those whose row was deleted. Triggers keep the
 * table, whichever version of the server writes. What stays in it for a day is removed from the file store.
 */
export const unusedFiles: Migration = {
  async up(db) {
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
  },
};
