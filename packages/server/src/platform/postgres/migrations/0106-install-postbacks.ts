import { type Migration, sql } from 'kysely';

/**
 * Postbacks of SKAdNetwork and AdAttributionKit, of which the key lets each count once, and the counts of those that are not counted.
 * Of no company where nobody is known to advertise the app. Earlier releases read and write neither.
 */
export const installPostbacks: Migration = {
  async up(db) {
    await sql`
      create table install_postbacks (
        framework text not null,
        transaction_id text not null,
        sequence_index smallint not null check (sequence_index between 0 and 2),
        received_at timestamptz not null,
        company_uuid uuid references companies on delete cascade,
        app_uuid uuid,
        adset_uuid uuid,
        item_id text not null,
        network_id text not null,
        source_identifier text not null,
        version text not null,
        conversion_type text not null,
        source_app_id text,
        source_domain text,
        fidelity smallint,
        did_win boolean not null,
        fine_value smallint,
        coarse_value text,
        country text,
        primary key (framework, transaction_id, sequence_index)
      )`.execute(db);
    await sql`
      create index install_postbacks_company on install_postbacks (company_uuid, received_at)`.execute(db);
    await sql`create index install_postbacks_received on install_postbacks (received_at)`.execute(db);
    await sql`create index apps_store_item on apps (bundle_id) where os = 'ios'`.execute(db);
    await sql`
      create table rejected_install_postbacks (
        day text not null,
        item_id text not null,
        reason text not null,
        count bigint not null,
        last_at timestamptz not null,
        sample text not null,
        primary key (day, item_id, reason)
      )`.execute(db);
  },
};
