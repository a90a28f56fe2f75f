import { type Migration, sql } from 'kysely';

/**
 * People whose address the mail server refuses for good, whom further tries of a report leave out, and an index for the latest report
 * of a schedule. Earlier releases try those people again, and do without the index.
 */
export const reportRuns: Migration = {
  async up(db) {
    await sql`alter table report_runs add column undeliverable uuid[] not null default '{}'`.execute(db);
    await sql`create index report_runs_latest on report_runs (schedule_uuid, created_at desc, uuid desc)`.execute(
      db,
    );
  },
};
