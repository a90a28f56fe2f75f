import { type Migration, sql } from 'kysely';

/**
 * Reasons for which an ad set lost bid requests when it was last diagnosed, by the length of the viewed range: a figure that
 * moves around a threshold would otherwise turn its finding on and off.
 */
export const adsetFindings: Migration = {
  async up(db) {
    await sql`
      create table adset_findings (
        adset_uuid uuid not null references adsets (uuid) on delete cascade,
        span smallint not null,
        causes text[] not null,
        primary key (adset_uuid, span)
      )`.execute(db);
  },
};
