import { type Migration, sql } from 'kysely';

/** Forecasts of ad sets for a day, and what came. */
export const forecasts: Migration = {
  async up(db) {
    await sql`
      create table forecasts (
        company_uuid uuid not null references companies (uuid) on delete cascade,
        adset_uuid uuid not null references adsets (uuid) on delete cascade,
        starts_at timestamptz not null,
        ends_at timestamptz not null,
        method integer not null,
        made_at timestamptz not null,
        impressions double precision not null,
        impressions_low double precision not null,
        impressions_high double precision not null,
        spend_micros bigint not null,
        spend_low_micros bigint not null,
        spend_high_micros bigint not null,
        installs double precision not null,
        installs_low double precision not null,
        installs_high double precision not null,
        actual_impressions bigint,
        actual_spend_micros bigint,
        actual_installs bigint,
        compared_at timestamptz,
        primary key (adset_uuid, starts_at)
      )`.execute(db);
    await sql`
      create index forecasts_compared on forecasts (company_uuid, starts_at desc)
      where compared_at is not null`.execute(db);
    await sql`create index forecasts_due on forecasts (ends_at) where compared_at is null`.execute(db);
    await sql`create index forecasts_ends on forecasts (ends_at)`.execute(db);
  },
};
