import { reportApiMessages } from '@bidwell/contract/reports/api-messages';
import type { ReportKey, ReportLevel } from '@bidwell/contract/reports/metrics';
import { Uuid } from '@bidwell/contract/lib/wire';
import { Invalid } from '../../platform/errors.ts';
import { isTimeLevel } from './buckets.ts';
import { dimensions } from './query/dimensions.ts';
import { commonLabel } from '@bidwell/contract/apps/event-label';
import type { EventLabel } from '@bidwell/contract/reports/schema';
import type { Db } from '../../platform/postgres/transaction.ts';
import { anyOf, anyTextOf } from '../../platform/postgres/client.ts';

export type Filters = Partial<Record<ReportKey, readonly string[]>>;

/** Most filter values in one query, and most bytes when URL-encoded: ClickHouse receives parameters in the URL. */
const VALUES_MAX = 10_000;
const BYTES_MAX = 700_000;

/**
 * Parses the comma-separated filters in `levels` and `filters` of a level report. An empty string does not filter; a
 * level in both fields must match both. Throws Invalid with the field at fault.
 */
export function readFilters(
  levels: Partial<Record<ReportLevel, string>>,
  filters: Partial<Record<ReportLevel, string>>,
): Filters {
  const read: Filters = {};
  for (const [field, values] of [
    ['levels', levels],
    ['filters', filters],
  ] as const) {
    for (const [level, joined] of Object.entries(values) as [ReportLevel, string][]) {
      if (isTimeLevel(level)) {
        if (joined.trim() === '') continue;
        throw new Invalid([{ field: `${field}.${level}`, message: reportApiMessages.filterOfTime }]);
      }
      const requested = readValues(level, joined, `${field}.${level}`);
      if (requested.length === 0) continue;
      const before = read[level];
      read[level] = before ? before.filter((value) => requested.includes(value)) : requested;
    }
  }
  const all = Object.values(read).flat();
  if (all.length > VALUES_MAX || encodeURIComponent(all.join(',')).length > BYTES_MAX) {
    throw new Invalid([{ field: 'levels', message: reportApiMessages.filterValues(VALUES_MAX) }]);
  }
  return read;
}

function readValues(level: ReportKey, joined: string, field: string): string[] {
  const values = new Set(
    joined
      .split(',')
      .map((value) => inStoredCase(level, value.trim()))
      .filter((value) => value !== ''),
  );
  const { type } = dimensions[level];
  for (const value of values) {
    if (type === 'UUID' && !Uuid.safeParse(value).success)
      throw new Invalid([{ field, message: reportApiMessages.filterUuids }]);
    if (type === 'UInt32' && !/^\d{1,9}$/.test(value))
      throw new Invalid([{ field, message: reportApiMessages.filterNumbers }]);
  }
  return [...values];
}

function inStoredCase(level: ReportKey, value: string): string {
  if (level === 'country') return value.toUpperCase();
  if (level === 'creative_type') return value;
  return value.toLowerCase();
}

/** The label of each of these event names in a report, if the apps of the report agree on one. */
export async function eventLabels(
  db: Db,
  companyId: string,
  names: readonly string[],
  { app, campaign }: Filters,
): Promise<EventLabel[]> {
  if (names.length === 0) return [];
  const rows = await db
    .selectFrom('app_event_names')
    .select(['name', 'label'])
    .where('company_uuid', '=', companyId)
    .where('name', '=', anyTextOf(names))
    .$if(app !== undefined, (query) => query.where('app_uuid', '=', anyOf(app!)))
    .$if(campaign !== undefined, (query) =>
      query.where('app_uuid', 'in', (of) =>
        of
          .selectFrom('campaigns')
          .select('app_uuid')
          .where('company_uuid', '=', companyId)
          .where('uuid', '=', anyOf(campaign!)),
      ),
    )
    .execute();
  return names.map((name) => ({
    name,
    label: commonLabel(rows.filter((row) => row.name === name).map(({ label }) => label)),
  }));
}
