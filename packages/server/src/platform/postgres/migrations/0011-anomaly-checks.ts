import { type Migration, sql } from 'kysely';

/** Hours of a company that were checked for anomalies, and the findings. */
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
