import { type Migration, sql } from 'kysely';

/** Drafts of campaigns: what somebody typed in the form, as text, whether or not it is valid. */
export const campaignDrafts: Migration = {
  async up(db) {
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
  },
};
