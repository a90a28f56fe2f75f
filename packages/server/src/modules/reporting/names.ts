import type { ReportLevel } from '@bidwell/contract/reports/metrics';
import type { Context } from '../../context.ts';
import { isTimeLevel, bucketName } from './buckets.ts';
import { bundleNames } from './bundle-names.ts';
import { type NamedLevel, isNamedLevel, namesOf } from './store.ts';

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

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
