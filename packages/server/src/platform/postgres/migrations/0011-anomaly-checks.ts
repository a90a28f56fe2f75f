import type { Migration } from 'kysely';
import { sql } from 'kysely';

/** Which hours of a company were looked at for figures far from the usual, and what was found. */
export const anomalyChecks: Migration = {
  async up(db) {
    await sql`
      create table anomaly_checks (
        company_uuid uuid not null references companies (uuid),
        hour timestamptz not null,
        found text[] not null,
        primary key (company_uuid, hour)
      )`.execute(db);
  },
};
