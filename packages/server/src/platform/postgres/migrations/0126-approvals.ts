import { type Migration, sql } from 'kysely';

/** Budgets that a second person approves: above which, and the requests. Earlier releases ask nobody. */
export const approvals: Migration = {
  async up(db) {
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
  },
};
