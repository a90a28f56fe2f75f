import type { ReportLevel } from '@bidwell/contract/metrics';
import { OTHER } from '@bidwell/contract/analytics';
import type { Engines } from '../../engines.ts';
import { isTimeLevel, nameOfSpan } from './buckets.ts';
import type { NamedLevel } from './store.ts';
import { isNamedLevel, namesOf } from './store.ts';

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** What a person calls the values in these rows: one look-up for all levels that have names of their own. */
export async function nameValues(
  engines: Engines,
  companyId: string,
  levels: readonly ReportLevel[],
  rows: readonly { values: readonly string[] }[],
  timeZone: string,
): Promise<(level: ReportLevel, value: string) => string> {
  const wanted = new Map<NamedLevel, ReadonlySet<string>>();
  for (const [depth, level] of levels.entries()) {
    if (!isNamedLevel(level)) continue;
    const values = rows.flatMap((row) => row.values[depth] ?? []);
    wanted.set(level, new Set(values.filter((value) => value !== OTHER)));
  }
  const names = await namesOf(engines.db, companyId, wanted);
  return (level, value) => names.get(`${level} ${value}`) ?? ownName(level, value, timeZone);
}

/** A value that is called by itself, or whose entity is gone. */
function ownName(level: ReportLevel, value: string, timeZone: string): string {
  if (isTimeLevel(level)) return nameOfSpan(level, value, timeZone);
  if (value === '') return 'Unknown';
  if (level === 'country') return /^[A-Z]{2}$/.test(value) ? (countries.of(value) ?? value) : value;
  if (level === 'os') return { ios: 'iOS', android: 'Android' }[value] ?? value;
  if (level === 'creative_duration') return value === '0' ? '-' : `${value} s`;
  if (level === 'creative_width' || level === 'creative_height') return value === '0' ? '-' : `${value} px`;
  if (level === 'format') return value === '0x0' ? '-' : value.replace('x', '×');
  return value;
}
