import { type Migration, sql } from 'kysely';

/**
 * The kind of a campaign, and how long after a click and a view the return of a person counts for an app, days; null is the longest. Reports
 * read which campaigns of a company are of re-engagement, which an index of these alone makes cheap.
 */
export const reEngagement: Migration = {
  async up(db) {
    await sql`alter table campaigns add column kind text not null default 'acquisition'`.execute(db);
    await sql`create index campaigns_re_engagement on campaigns (company_uuid) where kind = 're_engagement'`.execute(
      db,
    );
    await sql`
      alter table app_event_windows
        add column re_engagement_click_days integer,
        add column re_engagement_view_days integer`.execute(db);
  },
};
