import { type Migration, sql } from 'kysely';

/**
 * Look-ups in audiences, of all bidders: a period under way, which begins with its first look-up, and the last whole period of 24 hours.
 * `people` is a sketch of the people who were found, from which their number is estimated.
 */
export const audienceMatches: Migration = {
  async up(db) {
    await sql`
      create table audience_matches (
        audience_uuid uuid primary key references audiences on delete cascade,
        company_uuid uuid not null references companies on delete cascade,
        began_at timestamptz,
        look_ups bigint not null default 0,
        matches bigint not null default 0,
        people text not null default '',
        size int not null default 0,
        last_began_at timestamptz,
        last_look_ups bigint not null default 0,
        last_matches bigint not null default 0,
        last_people int not null default 0,
        last_size int not null default 0
      )`.execute(db);
    await sql`create index audience_matches_began on audience_matches (began_at) where began_at is not null`.execute(
      db,
    );
    await sql`create index audience_matches_company on audience_matches (company_uuid)`.execute(db);
  },
};
