import { type Migration, sql } from 'kysely';

/**
 * Reviews of the visible parts of an ad. `approved` holds the reviewed fields of the version that runs while a newer one
 * waits for its decision or was rejected. Existing texts and links were approved together with the rest, so they start as
 * Approved.
 */
export const review: Migration = {
  async up(db) {
    for (const table of ['apps', 'creatives', 'creative_groups', 'tracking_links']) {
      await sql`alter table ${sql.table(table)} add column approved jsonb`.execute(db);
    }
    const status = sql`text not null default 'Approved' check (status in ('Moderation', 'Approved', 'Rejected'))`;
    await sql`alter table tracking_links add column status ${status}, add column rejection_reason text`.execute(
      db,
    );
    await sql`
      alter table creative_groups
      add column texts_status text not null default 'Approved'
        check (texts_status in ('Moderation', 'Approved', 'Rejected')),
      add column rejection_reason text`.execute(db);
    await sql`
      create index creatives_approved_banner on creatives ((approved ->> 'banner_file_uuid'))
      where approved is not null`.execute(db);
    for (const [table, column] of [
      ['apps', 'status'],
      ['creatives', 'status'],
      ['tracking_links', 'status'],
      ['creative_groups', 'texts_status'],
    ] as const) {
      await sql`
        create index ${sql.ref(`${table}_waiting`)} on ${sql.table(table)} (updated_at)
        where ${sql.ref(column)} = 'Moderation'`.execute(db);
    }
  },
};
