import type {
  BundleQuery,
  BundleReport,
  HighlightQuery,
  Highlights,
  LevelQuery,
  LevelReport,
} from '@bidwell/contract/analytics';
import { addDays, dateAt, daysBetween, startOfDayMs } from '@bidwell/contract/calendar';
import { limits } from '@bidwell/contract/limits';
import type { Counts, ReportLevel } from '@bidwell/contract/metrics';
import { metricsOf } from '@bidwell/contract/metrics';
import type { Micros } from '@bidwell/contract/money';
import type { Actor, Engines } from '../../engines.ts';
import { Invalid } from '../../platform/errors.ts';
import { timeZoneOf } from '../accounts/service.ts';
import { readFilters } from './filters.ts';
import { nameValues } from './names.ts';
import type { Period } from './query-model.ts';
import { countEvents } from './query-model.ts';
import { addCounts, bucketsOf, highlightsOf, noCounts } from './series.ts';
import { levelTree } from './tree.ts';

const BUCKETS_MAX = 3660;
const ROWS_MAX = 10_000;
/** The report's last row when there are more bundles than it lists. Bundles are lower case: it is none of them. */
const OTHER_BUNDLES = 'Other';

/** The day that it is at the company, and what was counted since its midnight. */
export async function countsOfToday(
  engines: Engines,
  { companyId }: Actor,
): Promise<{ date: string; counts: Readonly<Counts> }> {
  const timeZone = await timeZoneOf(engines.db, companyId);
  const date = dateAt(engines.now().getTime(), timeZone);
  const period = periodOf(date, date, timeZone);
  const [counts = noCounts] = await countEvents(engines.clickhouse, companyId, {
    period,
    by: [],
    filters: {},
  });
  return { date, counts };
}

/** What the company has spent since its midnight, in micros. */
export async function spentTodayMicros(engines: Engines, actor: Actor): Promise<Micros> {
  return (await countsOfToday(engines, actor)).counts.spendMicros;
}

/** What reports say the company spent before an instant, in micros. */
export async function spentBeforeMicros(
  engines: Engines,
  { companyId }: Actor,
  beforeMs: number,
): Promise<Micros> {
  const period = { fromMs: 0, beforeMs, timeZone: 'UTC' };
  const [total] = await countEvents(engines.clickhouse, companyId, { period, by: [], filters: {} });
  return total?.spendMicros ?? 0;
}

/**
 * Each highlight metric's total, its change against the period of the same length that ends the day before, and a value
 * for every bucket of the range (decisions §6). Throws Invalid for more than 3660 buckets.
 */
export async function highlights(engines: Engines, actor: Actor, query: HighlightQuery): Promise<Highlights> {
  const { start_date: start, end_date: end, group } = query;
  requireOurYears(start, end);
  const buckets = bucketsOf(start, end, group, BUCKETS_MAX);
  if (!buckets) {
    throw new Invalid([{ field: 'end_date', message: `Choose a range of at most ${BUCKETS_MAX} ${group}s` }]);
  }
  const timeZone = await timeZoneOf(engines.db, actor.companyId);
  const filters = query.campaign_uuid ? { campaign: [query.campaign_uuid] } : {};
  const days = await countEvents(engines.clickhouse, actor.companyId, {
    period: periodOf(start, end, timeZone),
    by: ['day'],
    filters,
  });
  const dayBefore = addDays(start, -1);
  const [previous = noCounts] = await countEvents(engines.clickhouse, actor.companyId, {
    period: periodOf(addDays(dayBefore, -daysBetween(start, end)), dayBefore, timeZone),
    by: [],
    filters,
  });
  const counts = days.map((row) => ({ ...row, day: row.values[0]! }));
  return highlightsOf(counts, previous, { buckets, group });
}

/**
 * A row per publisher bundle, those that spent most first. Beyond 10,000 bundles the last row, Other, holds the rest:
 * the rows always add up to the total.
 */
export async function bundleReport(
  engines: Engines,
  actor: Actor,
  query: BundleQuery,
): Promise<BundleReport> {
  requireOurYears(query.start_date, query.end_date);
  const timeZone = await timeZoneOf(engines.db, actor.companyId);
  const period = periodOf(query.start_date, query.end_date, timeZone);
  const filters = {
    ...(query.creative_ids.length > 0 && { creative: query.creative_ids }),
    ...(query.campaign_uuid && { campaign: [query.campaign_uuid] }),
  };
  const listed = await countEvents(engines.clickhouse, actor.companyId, {
    period,
    by: ['bundle'],
    filters,
    limit: ROWS_MAX,
  });
  const sum = sumOf(listed);
  const rows = listed.map((row) => ({ bundle: row.values[0]!, ...metricsOf(row) }));
  if (listed.length < ROWS_MAX) return { rows, total: metricsOf(sum) };
  const [total = sum] = await countEvents(engines.clickhouse, actor.companyId, { period, by: [], filters });
  const rest: Counts = {
    clicks: total.clicks - sum.clicks,
    installs: total.installs - sum.installs,
    impressions: total.impressions - sum.impressions,
    spendMicros: total.spendMicros - sum.spendMicros,
  };
  if (Object.values(rest).some((count) => count > 0))
    rows.push({ bundle: OTHER_BUNDLES, ...metricsOf(rest) });
  return { rows, total: metricsOf(total) };
}

/**
 * A tree with one depth per key of `levels`, in their order, filtered by the keys' values; every metric is always
 * answered, `metrics` is what the asker shows. Throws Invalid for wrong filters and beyond 10,000 lines.
 */
export async function levelReport(engines: Engines, actor: Actor, query: LevelQuery): Promise<LevelReport> {
  requireOurYears(query.start_date, query.end_date);
  const levels = Object.keys(query.levels) as ReportLevel[];
  const filters = readFilters(query.levels, query.filters ?? {});
  const timeZone = await timeZoneOf(engines.db, actor.companyId);
  const rows = await countEvents(engines.clickhouse, actor.companyId, {
    period: periodOf(query.start_date, query.end_date, timeZone),
    by: levels,
    filters,
    limit: ROWS_MAX + 1,
  });
  if (rows.length > ROWS_MAX) {
    const message = 'The report has more than 10 000 lines: choose fewer levels, a filter or a shorter range';
    throw new Invalid([{ field: 'levels', message }]);
  }
  const nameOf = await nameValues(engines, actor.companyId, levels, rows);
  return { rows: levelTree(rows, levels, nameOf), total: metricsOf(sumOf(rows)) };
}

const sumOf = (rows: readonly Counts[]): Counts => rows.reduce(addCounts, noCounts);

/** Both dates included. */
function periodOf(startDate: string, endDate: string, timeZone: string): Period {
  return {
    fromMs: startOfDayMs(startDate, timeZone),
    beforeMs: startOfDayMs(addDays(endDate, 1), timeZone),
    timeZone,
  };
}

function requireOurYears(startDate: string, endDate: string): void {
  const message = `Choose dates between ${limits.dateMin} and ${limits.dateMax}`;
  if (startDate < limits.dateMin) throw new Invalid([{ field: 'start_date', message }]);
  if (endDate > limits.dateMax) throw new Invalid([{ field: 'end_date', message }]);
}
