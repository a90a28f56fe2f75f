import type { ReportLevel } from '@bidwell/contract/metrics';
import type { Db } from '../../platform/postgres/transaction.ts';

const tables = {
  campaign: 'campaigns',
  adset: 'adsets',
  app: 'apps',
  creative_group: 'creative_groups',
} as const;

/** Levels whose values are called something in the state database. */
export type NamedLevel = keyof typeof tables | 'creative' | 'exchange';

export function isNamedLevel(level: ReportLevel): level is NamedLevel {
  return level in tables || level === 'creative' || level === 'exchange';
}

/** What the company's things are called, by uuid (exchanges, which are nobody's, by slug). Unknown values are absent. */
export async function namesOf(
  db: Db,
  companyId: string,
  level: NamedLevel,
  values: readonly string[],
): Promise<Map<string, string>> {
  if (values.length === 0) return new Map();
  if (level === 'exchange') {
    const rows = await db.selectFrom('ssps').select(['slug', 'name']).where('slug', 'in', values).execute();
    return new Map(rows.map(({ slug, name }) => [slug, name]));
  }
  if (level === 'creative') {
    const rows = await db
      .selectFrom('creatives')
      .innerJoin('internal_creatives', 'internal_creatives.uuid', 'creatives.internal_creative_uuid')
      .select(['creatives.uuid', 'internal_creatives.name'])
      .where('creatives.company_uuid', '=', companyId)
      .where('creatives.uuid', 'in', values)
      .execute();
    return new Map(rows.map(({ uuid, name }) => [uuid, name]));
  }
  const rows = await db
    .selectFrom(tables[level])
    .select(['uuid', 'name'])
    .where('company_uuid', '=', companyId)
    .where('uuid', 'in', values)
    .execute();
  return new Map(rows.map(({ uuid, name }) => [uuid, name]));
}
