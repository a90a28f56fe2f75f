import { type Migration, sql } from 'kysely';

/**
 * What is looked at day by day outside of the server: whether the hosts of tracking links can be reached, for all companies together, and
 * whether mail domains still have the DNS record that proves them. Earlier releases read neither.
 */
export const dailyChecks: Migration = {
  async up(db) {
    await sql`
      create table tracking_hosts (
        origin text primary key,
        checked_at timestamptz not null,
        failures int not null,
        failing_since timestamptz
      )`.execute(db);
    await sql`
      alter table sso_domains
        add column record_checked_at timestamptz,
        add column record_seen_at timestamptz`.execute(db);
  },
};
