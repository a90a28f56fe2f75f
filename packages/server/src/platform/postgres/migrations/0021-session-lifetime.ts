import { type Migration, sql } from 'kysely';

/** Time of the login that a refresh token descends from, which bounds the lifetime of a session. */
export const sessionLifetime: Migration = {
  async up(db) {
    await sql`alter table refresh_tokens add column logged_in_at timestamptz not null default now()`.execute(
      db,
    );
    await sql`
      update refresh_tokens set logged_in_at = families.began_at
      from (select family_uuid, min(created_at) as began_at from refresh_tokens group by family_uuid) as families
      where families.family_uuid = refresh_tokens.family_uuid`.execute(db);
  },
};
