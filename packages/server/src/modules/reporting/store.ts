import type { ReportLevel } from '@bidwell/contract/reports/metrics';
import { sql } from 'kysely';
import { json } from '../../platform/postgres/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

const tables = {
  campaign: 'campaigns',
  adset: 'adsets',
  app: 'apps',
  creative_group: 'creative_groups',
} as const;

/** Levels whose values have names in the state database. */
export type NamedLevel = keyof typeof tables | 'creative' | 'exchange';

export function isNamedLevel(level: ReportLevel): level is NamedLevel {
  return Object.hasOwn(tables, level) || level === 'creative' || level === 'exchange';
}

/**
 * Names by level and value. Values are uuids, or slugs for exchanges, which belong to no company. One query for all
 * levels; unknown values are absent, deleted entities have their last name.
 */
export async function namesOf(
  db: Db,
  companyId: string,
  requested: ReadonlyMap<NamedLevel, ReadonlySet<string>>,
): Promise<ReadonlyMap<NamedLevel, ReadonlyMap<string, string>>> {
  const branches = [...requested]
    .filter(([, values]) => values.size > 0)
    .map(([level, values]) => {
      const listed = sql`select value from jsonb_array_elements_text(${json([...values])}::jsonb)`;
      const listedIds = sql`select value::uuid from jsonb_array_elements_text(${json([...values])}::jsonb)`;
      if (level === 'exchange')
        return sql`select 'exchange' as level, slug as value, name from ssps where slug in (${listed})`;
      const deleted = sql`
        select ${sql.lit(level)} as level, entity_uuid::text as value, entity_name as name from changes
        where company_uuid = ${companyId} and action = 'delete' and entity_type = ${level} and entity_uuid in (${listedIds})`;
      if (level === 'creative')
        return sql`
          select 'creative' as level, c.uuid::text as value, i.name
          from creatives c join internal_creatives i on i.uuid = c.internal_creative_uuid
          where c.company_uuid = ${companyId} and c.uuid in (${listedIds})
          union all ${deleted}`;
      return sql`
        select ${sql.lit(level)} as level, uuid::text as value, name from ${sql.table(tables[level])}
        where company_uuid = ${companyId} and uuid in (${listedIds})
        union all ${deleted}`;
    });
  if (branches.length === 0) return new Map();
  const { rows } = await sql<{ level: NamedLevel; value: string; name: string }>`
    ${sql.join(branches, sql` union all `)}`.execute(db);
  const names = new Map<NamedLevel, Map<string, string>>();
  for (const { level, value, name } of rows) {
    const ofLevel = names.get(level) ?? new Map<string, string>();
    names.set(level, ofLevel.set(value, name));
  }
  return names;
}
