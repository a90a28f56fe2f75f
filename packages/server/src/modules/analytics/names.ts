import type { ReportLevel } from '@bidwell/contract/metrics';
import type { Engines } from '../../engines.ts';
import type { CountsRow } from './query-model.ts';
import { isNamedLevel, namesOf } from './store.ts';

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** What a person calls the values in these rows: one look-up per level that has names of its own. */
export async function nameValues(
  engines: Engines,
  companyId: string,
  levels: readonly ReportLevel[],
  rows: readonly CountsRow[],
): Promise<(level: ReportLevel, value: string) => string> {
  const names = new Map<ReportLevel, Map<string, string>>();
  for (const [depth, level] of levels.entries()) {
    if (!isNamedLevel(level)) continue;
    const values = new Set(rows.map((row) => row.values[depth]!));
    names.set(level, await namesOf(engines.db, companyId, level, [...values]));
  }
  return (level, value) => names.get(level)?.get(value) ?? ownName(level, value);
}

/** A value that is called by itself, or whose entity is gone. */
function ownName(level: ReportLevel, value: string): string {
  if (value === '') return 'Unknown';
  if (level === 'country') return /^[A-Z]{2}$/.test(value) ? (countries.of(value) ?? value) : value;
  if (level === 'os') return { ios: 'iOS', android: 'Android' }[value] ?? value;
  if (level === 'creative_duration') return value === '0' ? '-' : `${value} s`;
  if (level === 'creative_width' || level === 'creative_height') return value === '0' ? '-' : `${value} px`;
  return value;
}
