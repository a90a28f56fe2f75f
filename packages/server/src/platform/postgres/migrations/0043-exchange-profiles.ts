import { type Migration, sql } from 'kysely';

/** The profiles that 0.2.0 knew, by their ids and the names of their exchanges. */
const PROFILES = [
  ['google', 'Google Authorized Buyers'],
  ['applovin', 'AppLovin'],
  ['mintegral', 'Mintegral'],
  ['inmobi', 'InMobi'],
  ['unity', 'Unity / ironSource'],
  ['smaato', 'Smaato'],
  ['pubmatic', 'PubMatic'],
  ['magnite', 'Magnite'],
] as const;

/**
 * The profile of each exchange, whose rules its bids follow: of those that exist by their id, alone or before a dash, or by their
 * name, as 0.2.0 compared their settings with it. 0.2.0 adds exchanges without a profile. And the billing ids of companies at exchanges that
 * bill each buyer; and the creatives that are too large for exchanges, when a bidder last found that.
 */
export const exchangeProfiles: Migration = {
  async up(db) {
    await sql`alter table ssps add column profile text not null default 'openrtb'`.execute(db);
    for (const [slug, name] of PROFILES)
      await sql`
        update ssps set profile = ${slug}
        where profile = 'openrtb' and (slug = ${slug} or slug like ${`${slug}-%`} or lower(name) = lower(${name}))`.execute(
        db,
      );
    await sql`
      create table exchange_billing_ids (
        slug text not null references ssps on delete cascade,
        company_uuid uuid not null references companies on delete cascade,
        billing_id text not null check (billing_id ~ '^[0-9]{1,20}$'),
        primary key (slug, company_uuid, billing_id)
      )`.execute(db);
    await sql`
      create table oversized_creatives (
        creative_uuid uuid not null,
        slug text not null references ssps on delete cascade,
        company_uuid uuid not null references companies on delete cascade,
        seen_at timestamptz not null,
        primary key (creative_uuid, slug)
      )`.execute(db);
    await sql`create index oversized_creatives_company on oversized_creatives (company_uuid)`.execute(db);
    await sql`create index exchange_billing_ids_company on exchange_billing_ids (company_uuid)`.execute(db);
  },
};
