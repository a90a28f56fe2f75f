import type { ReportLevel } from '@bidwell/contract/reports/metrics';
import type { Context } from '../../context.ts';
import { isTimeLevel, bucketName } from './buckets.ts';
import { OTHER } from '@bidwell/contract/reports/schema';
import { publisherPageNames } from '../catalog/public.ts';
import { offeredNames } from './query/publisher-app-store.ts';
import { withinReportLimits } from './report-limits.ts';
import { sql } from 'kysely';
import { json } from '../../platform/postgres/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

const tables = {
  campaign: 'campaigns',
  adset: 'adsets',
  app: 'apps',
  creative_group: 'creative_groups',
} as const;

/** Levels whose values have names in the state database. */
type NamedLevel = keyof typeof tables | 'creative' | 'exchange';

/**
 * Looks up display names for the values of each level (`values` in the order of `levels`), with one query for all
 * levels whose names are in the state database. Throws Invalid when it exceeds the limits of reports.
 */
export async function nameValues(
  ctx: Context,
  companyId: string,
  levels: readonly ReportLevel[],
  values: readonly ReadonlySet<string>[],
  timeZone: string,
): Promise<(level: ReportLevel, value: string) => string> {
  const requested = new Map<NamedLevel, ReadonlySet<string>>();
  for (const [depth, level] of levels.entries())
    if (isNamedLevel(level)) requested.set(level, values[depth]!);
  const bundles = levels.indexOf('bundle');
  const [known, ofBundles] = await Promise.all([
    namesOf(ctx.db, companyId, requested),
    bundleNames(ctx, values[bundles] ?? []),
  ]);
  const names = new Map(
    levels.map((level, depth) => {
      const ofLevel = isNamedLevel(level) ? known.get(level) : level === 'bundle' ? ofBundles : undefined;
      return [
        level,
        new Map(
          [...values[depth]!].map((value) => [
            value,
            ofLevel?.get(value) ?? derivedName(level, value, timeZone),
          ]),
        ),
      ];
    }),
  );
  return (level, value) => names.get(level)!.get(value)!;
}

/** Display name of a value that has no stored name. */
function derivedName(level: ReportLevel, value: string, timeZone: string): string {
  if (isTimeLevel(level)) return bucketName(level, value, timeZone);
  if (value === '') return 'Unknown';
  if (level === 'country') return /^[A-Z]{2}$/.test(value) ? (countries.of(value) ?? value) : value;
  if (level === 'os') return { ios: 'iOS', android: 'Android' }[value] ?? value;
  if (level === 'creative_duration') return value === '0' ? '-' : `${value} s`;
  if (level === 'creative_width' || level === 'creative_height') return value === '0' ? '-' : `${value} px`;
  if (level === 'format') return value === '0x0' ? '-' : value.replace('x', '×');
  return value;
}

/**
 * Names of publishers' apps by bundle: as in the store where its page was fetched, else as in bid requests. Apps without a known
 * name are absent. Throws Invalid when it exceeds the limits of reports.
 */
export async function bundleNames(
  ctx: Context,
  bundles: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const named = [...bundles].filter((bundle) => bundle !== '' && bundle !== OTHER);
  const [ofRequests, ofPages] = await Promise.all([
    withinReportLimits(ctx, (settings) => offeredNames(ctx.clickhouse, named, settings)),
    publisherPageNames(ctx, named),
  ]);
  return new Map([...ofRequests, ...ofPages]);
}

function isNamedLevel(level: ReportLevel): level is NamedLevel {
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
