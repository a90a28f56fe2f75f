import { type Migration, sql } from 'kysely';

/** Campaigns that start by themselves once everything of them is approved. */
export const startWhenApproved: Migration = {
  async up(db) {
    await sql`alter table campaigns add column start_when_approved boolean not null default false`.execute(
      db,
    );
    await sql`create index campaigns_start_when_approved on campaigns (company_uuid, uuid)
      where start_when_approved and status = 'Paused' and archived_at is null`.execute(db);
  },
};
