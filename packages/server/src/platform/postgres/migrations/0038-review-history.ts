import { type Migration, sql } from 'kysely';

/**
 * Earlier decisions on an entity, on a company's ads and on a file. The log keeps the file's hash, because a creative that
 * was rejected may be deleted and uploaded again.
 */
export const reviewHistory: Migration = {
  async up(db) {
    await sql`alter table operator_acts add column file_sha256 text`.execute(db);
    const decisions = sql`entity in ('app', 'creative', 'creative_group', 'tracking_link')
      and action in ('Approved', 'Rejected')`;
    await sql`
      create index operator_acts_decisions on operator_acts (entity_uuid, created_at desc)
        where ${decisions}`.execute(db);
    await sql`
      create index operator_acts_company_decisions on operator_acts (company_uuid, created_at desc)
        where ${decisions}`.execute(db);
    await sql`
      create index operator_acts_file on operator_acts (file_sha256, created_at desc)
        where file_sha256 is not null`.execute(db);
  },
};
