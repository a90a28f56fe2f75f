import { type Migration, sql } from 'kysely';

/**
 * Campaigns that start by themselves once all is approved, drafts of campaigns as they were typed, comments, and budgets that a second
 * person approves. For ad sets: the size and the numbers of the bundles (null for one that was not written since), goals of the bid
 * strategies Target CPA and Target ROAS, product pages and SKOverlay, forecasts, and the reasons for which one lost bid requests when it
 * was last diagnosed, by the length of the viewed range: a figure around a threshold would otherwise turn its finding on and off.
 */
export const campaigns: Migration = {
  async up(db) {
    await sql`alter table campaigns add column start_when_approved boolean not null default false`.execute(
      db,
    );
    await sql`create index campaigns_start_when_approved on campaigns (company_uuid, uuid)
      where start_when_approved and status = 'Paused' and archived_at is null`.execute(db);
    await sql`
      alter table adsets
        add column bundle_bytes integer,
        add column bundle_counts jsonb,
        add column goal_event text,
        add column cpa_micros bigint,
        add column roas_percent double precision,
        add column goal_window_days smallint not null default 7,
        add column goals_by_country jsonb not null default '[]',
        add column product_page_id uuid,
        add column overlay jsonb`.execute(db);
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
    await sql`
      create table adset_findings (
        adset_uuid uuid not null references adsets (uuid) on delete cascade,
        span smallint not null,
        causes text[] not null,
        primary key (adset_uuid, span)
      )`.execute(db);
    await sql`
      create table campaign_drafts (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        name text not null,
        values_json text not null,
        version integer not null,
        created_by uuid references users on delete set null,
        updated_by uuid references users on delete set null,
        created_at timestamptz not null,
        updated_at timestamptz not null
      )`.execute(db);
    await sql`create index campaign_drafts_company on campaign_drafts (company_uuid, updated_at)`.execute(db);
    await sql`
      alter table companies
        add column approval_daily_micros bigint,
        add column approval_total_micros bigint`.execute(db);
    await sql`
      create table approval_requests (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        campaign_uuid uuid not null references campaigns on delete cascade,
        state text not null,
        change jsonb not null,
        budgets jsonb not null,
        before jsonb not null,
        hash text not null,
        note text not null,
        reason text not null default '',
        requested_by uuid references users on delete set null,
        decided_by uuid references users on delete set null,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        decided_at timestamptz
      )`.execute(db);
    await sql`
      create unique index approval_requests_open on approval_requests (campaign_uuid)
      where state = 'open'`.execute(db);
    await sql`create index approval_requests_company on approval_requests (company_uuid, created_at)`.execute(
      db,
    );
    await sql`
      create index approval_requests_approved on approval_requests (campaign_uuid, decided_at)
      where state = 'approved'`.execute(db);
    await sql`
      create table comments (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        campaign_uuid uuid references campaigns on delete cascade,
        draft_uuid uuid references campaign_drafts on delete cascade,
        author_uuid uuid references users on delete set null,
        text text not null,
        mentions uuid[] not null,
        created_at timestamptz not null,
        edited_at timestamptz,
        check ((campaign_uuid is null) <> (draft_uuid is null))
      )`.execute(db);
    await sql`
      create index comments_campaign on comments (campaign_uuid, created_at)
      where campaign_uuid is not null`.execute(db);
    await sql`
      create index comments_draft on comments (draft_uuid, created_at)
      where draft_uuid is not null`.execute(db);
    await sql`create index comments_company on comments (company_uuid)`.execute(db);
  },
};
