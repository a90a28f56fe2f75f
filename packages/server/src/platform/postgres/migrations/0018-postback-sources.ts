import { type Migration, sql } from 'kysely';

/**
 * Rotation of postback secrets, with the previous one valid for a while; and settings of a company for checking a
 * partner's postbacks. Tracking links no longer contain the secret: in Adjust's callback, as it used to be suggested, it
 * is replaced by a token for a single click. Owners of links that contain the secret in another way are warned.
 */
export const postbackSources: Migration = {
  async up(db) {
    await sql`
      alter table companies
        add column postback_secret_previous text,
        add column postback_secret_previous_until timestamptz,
        add column postback_secret_rotated_at timestamptz`.execute(db);
    await sql`create index companies_postback_secret_previous on companies (postback_secret_previous)`.execute(
      db,
    );
    await sql`
      create table postback_sources (
        company_uuid uuid not null references companies (uuid),
        mmp text not null,
        networks text[] not null default '{}',
        secret text,
        primary key (company_uuid, mmp)
      )`.execute(db);
    for (const column of ['click_url', 'view_url'])
      await sql`
        update tracking_links set ${sql.ref(column)} = regexp_replace(
          ${sql.ref(column)},
          '(%2F|/)postback(%2F|/)adjust(%2F|/)' || companies.postback_secret || '(%3F|\\?)click_id(%3D|=)\\{click_id\\}(%26|&)?',
          '\\1postback\\2adjust\\3click\\3{install_token}\\4', 'gi')
        from companies
        where companies.uuid = tracking_links.company_uuid
          and position(companies.postback_secret in ${sql.ref(column)}) > 0`.execute(db);
    await sql`
      insert into notifications (uuid, company_uuid, kind, title, text, entity_type, entity_uuid, created_at)
      select gen_random_uuid(), companies.uuid, 'tracking_link', 'A tracking link holds your postback secret',
        'Devices that see the link "' || tracking_links.name || '" could report installs. The secret is no longer sent; '
          || 'take it out of the link and rotate it.',
        'tracking_link', tracking_links.uuid, now()
      from tracking_links join companies on companies.uuid = tracking_links.company_uuid
      where position(companies.postback_secret in tracking_links.click_url || ' ' || tracking_links.view_url) > 0`.execute(
      db,
    );
  },
};
