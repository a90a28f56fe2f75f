import { type Migration, sql } from 'kysely';

/**
 * Rules by which figures alert a company. Channels and people that get every kind of alert get this one too. Earlier releases
 * read none of the rules, and send no alert of the kind.
 */
export const alertRules: Migration = {
  async up(db) {
    await sql`
      create table alert_rules (
        uuid uuid primary key,
        company_uuid uuid not null references companies on delete cascade,
        metric text not null,
        scope text not null,
        scope_uuid uuid,
        days int not null,
        direction text not null,
        threshold double precision not null,
        minimum_of text,
        minimum double precision,
        hour int,
        is_enabled boolean not null,
        state text not null,
        value double precision,
        volume double precision,
        from_date text,
        to_date text,
        checked_at timestamptz,
        met_since timestamptz,
        next_check_at timestamptz,
        created_at timestamptz not null
      )`.execute(db);
    await sql`create index alert_rules_company on alert_rules (company_uuid, created_at)`.execute(db);
    await sql`create index alert_rules_due on alert_rules (next_check_at) where next_check_at is not null`.execute(
      db,
    );
    for (const table of ['alert_channels', 'alert_preferences'])
      await sql`
        update ${sql.table(table)} set kinds = array_append(kinds, 'rule')
        where kinds @> array['balance', 'spend', 'anomaly', 'postbacks', 'review', 'delivery', 'account']`.execute(
        db,
      );
  },
};
