import { type Migration, sql } from 'kysely';

/** What people write on campaigns and their drafts. An earlier release shows none, and deletes those of a draft that it uses. */
export const comments: Migration = {
  async up(db) {
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
