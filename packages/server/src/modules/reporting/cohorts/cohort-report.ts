import { reportApiMessages } from '@bidwell/contract/reports/api-messages';
import {
  COHORTS_MAX,
  COHORT_DAYS,
  COHORT_METRICS,
  type CohortCell,
  type CohortMetric,
  type CohortQuery,
  type CohortReport,
  type CohortRow,
  type Estimate,
} from '@bidwell/contract/reports/cohorts';
import type { ReportKey } from '@bidwell/contract/reports/metrics';
import { OTHER } from '@bidwell/contract/reports/schema';
import { addDays, dateAt } from '@bidwell/contract/lib/calendar';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Invalid } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { runYielding } from '../../../platform/concurrency/yielding.ts';
import { eventRulesOf } from '../../../delivery/public.ts';
import { type DateRange, bucketsIn, periodOf, rangeOf } from '../buckets.ts';
import { readFilters } from '../filters.ts';
import { nameValues } from '../names.ts';
import { reEngagementCampaigns } from '../query/re-engagement-store.ts';
import { withinReportLimits } from '../report-limits.ts';
import { LEARNING_DAYS, type Week, expectedRevenue, recordOf, weeksKnownAt } from './prediction.ts';
import { type CohortQuery as PeopleQuery, readCohorts, type DayFigures } from './people-store.ts';
import { rateOf } from '@bidwell/contract/lib/rate';

const DAY_MS = 86_400_000;

/**
 * Revenue, payers and retention of the people who installed in a range, by cohort and days since the install. The rows of a
 * cohort add up to it. With `forecast`, the figures of young cohorts by day 30 are predicted. Throws Invalid for wrong filters, more than 180
 * cohorts, and a report that exceeds the limits.
 */
export async function cohortReport(ctx: Context, actor: Actor, query: CohortQuery): Promise<CohortReport> {
  requirePermission(actor, 'report.read');
  const range = await rangeOf(ctx, actor, query);
  const rules = await eventRulesOf(ctx.db, actor.companyId);
  const people = { ...peopleQueryOf(range, query, ctx.now().getTime()), rules };
  const [cohorts, weeks] = await Promise.all([
    cohortsOf(ctx, actor.companyId, people, query.top),
    query.forecast ? readWeeks(ctx, actor.companyId, people, range.timeZone) : null,
  ]);
  const metrics = new Set(query.metrics?.length ? query.metrics : COHORT_METRICS);
  const nameOf = await namesOfRows(ctx, actor.companyId, people.by, cohorts, range.timeZone);
  const total = await runYielding(sumOf(cohorts));
  const learned = weeks && weeksKnownAt(weeks, people.nowMs);
  const present = (figures: RowFigures) => ({
    installs: figures.installs,
    spend: figures.spendMicros / 1_000_000,
    unknown_amounts: figures.unknownAmounts,
    cells: cellsOf(figures, metrics),
    ...(learned && { expected: learned.weeks && expectedRevenue(learned.weeks, figures) }),
  });
  function* presented(): Generator<void, CohortRow[]> {
    const rows: CohortRow[] = [];
    for (const { cohort, value, figures } of cohorts) {
      rows.push({ cohort, value, name: nameOf(value), ...present(figures) });
      yield;
    }
    return rows;
  }
  // Thousands of rows, each with a cell for each day: bids must not wait for all of them.
  const rows = await runYielding(presented());
  return {
    rows,
    total: present(total),
    ...(learned && { forecast: { message: learned.message, record: recordOf(weeks, people.nowMs) } }),
  };
}

/**
 * The figures of all people who installed in a range of dates, as {@link cohortReport} has them in its total. For jobs: the caller
 * decides whose figures may be read. Throws Invalid for a report that exceeds the limits.
 */
export async function cohortTotal(
  ctx: Context,
  companyId: string,
  { range, filters, metrics }: { range: DateRange; filters: PeopleQuery['filters']; metrics: CohortMetric[] },
): Promise<CohortCell[]> {
  const rules = await eventRulesOf(ctx.db, companyId);
  const period = periodOf(range);
  const cohorts = [{ startMs: period.fromMs, value: range.start }];
  const people = { period, cohorts, filters, rules, nowMs: ctx.now().getTime() };
  const total = await runYielding(sumOf(await cohortsOf(ctx, companyId, people, 0)));
  return cellsOf(total, new Set(metrics));
}

/** The sum of rows. A generator; run it with `runYielding`. */
function* sumOf(rows: readonly Row[]): Generator<void, RowFigures> {
  const sum = emptyRow();
  for (const { figures } of rows) {
    addRow(sum, figures);
    yield;
  }
  return sum;
}

/** The weekly cohorts of all values from which the report predicts, and earlier ones, with which past predictions are compared. */
async function readWeeks(
  ctx: Context,
  companyId: string,
  { filters, rules, nowMs }: PeopleQuery,
  timeZone: string,
): Promise<Week[]> {
  const end = dateAt(nowMs, timeZone);
  const range = { start: addDays(end, -2 * LEARNING_DAYS), end, timeZone };
  const cohorts = bucketsIn(range, 'week')!;
  const period = { fromMs: cohorts[0]!.startMs, beforeMs: nowMs };
  const read = await withinReportLimits(ctx, (settings) =>
    readCohorts(
      ctx.clickhouse,
      companyId,
      { period, cohorts, filters, rules, nowMs },
      { top: 0, withSpend: false, settings },
    ),
  );
  const byStart = new Map(read.map((week) => [week.cohort, week]));
  const target = COHORT_DAYS.indexOf(30);
  return cohorts.map(({ value, startMs }, index) => {
    const week = byStart.get(value);
    return {
      startMs,
      endMs: cohorts[index + 1]?.startMs ?? startMs + 7 * DAY_MS,
      installs: week?.installs ?? 0,
      payers: week?.days[target]!.payers ?? 0,
      revenueMicros: COHORT_DAYS.map((_, at) => week?.days[at]!.revenueMicros ?? 0),
    };
  });
}

/** The question behind a report. Throws Invalid. */
function peopleQueryOf(range: DateRange, { group, by, filters }: CohortQuery, nowMs: number): PeopleQuery {
  const cohorts = bucketsIn(range, group);
  if (!cohorts || cohorts.length > COHORTS_MAX)
    throw new Invalid([{ field: 'end_date', message: reportApiMessages.rangeMax(COHORTS_MAX, group) }]);
  const period = periodOf(range);
  return { period, cohorts, by: by ?? undefined, filters: readFilters({}, filters ?? {}), nowMs };
}

/** A row before it is presented. */
interface Row {
  cohort: string;
  value: string;
  figures: RowFigures;
}

/** The rows of a report: the newest cohort first, then by installs and spend, with Other as the last. */
async function cohortsOf(ctx: Context, companyId: string, query: PeopleQuery, top: number): Promise<Row[]> {
  const campaigns = await reEngagementCampaigns(ctx.db, companyId);
  const ofInstalls = campaigns.length > 0 ? { ...query, reEngagement: campaigns } : query;
  const read = await withinReportLimits(ctx, (settings) =>
    readCohorts(ctx.clickhouse, companyId, ofInstalls, { top, withSpend: true, settings }),
  );
  const isLater = endsOf(query);
  function* counted(): Generator<void, Row[]> {
    const rows: Row[] = [];
    for (const { cohort, value, ...figures } of read) {
      const sum = emptyRow();
      addRow(sum, { ...figures, days: figures.days.map((day) => ({ ...day, spendMicros: 0 })) });
      const row = { cohort, value, figures: sum };
      addMatureSpend(row, isLater);
      rows.push(row);
      yield;
    }
    return rows;
  }
  return (await runYielding(counted())).sort(
    (a, b) =>
      order(b.cohort, a.cohort) ||
      Number(a.value === OTHER) - Number(b.value === OTHER) ||
      b.figures.installs - a.figures.installs ||
      b.figures.spendMicros - a.figures.spendMicros ||
      order(a.value, b.value),
  );
}

/** Compares by code units: thousands of rows are sorted at once, for which the order of a language takes long. */
const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Whether a day after the end of a cohort has ended. */
function endsOf({ cohorts, period, nowMs }: PeopleQuery): (cohort: string, day: number) => boolean {
  const ends = new Map(
    cohorts.map(({ value }, index) => [value, cohorts[index + 1]?.startMs ?? period.beforeMs]),
  );
  return (cohort, day) => nowMs >= ends.get(cohort)! + (day + 1) * DAY_MS;
}

/** The spend of the people who are old enough: by their share of the installs, and without installs by the cohort's age. */
function addMatureSpend({ cohort, figures }: Row, hasEnded: (cohort: string, day: number) => boolean): void {
  const { installs, spendMicros } = figures;
  for (const [at, day] of figures.days.entries()) {
    const share = installs > 0 ? day.people / installs : Number(hasEnded(cohort, COHORT_DAYS[at]!));
    day.spendMicros = spendMicros * share;
  }
}

async function namesOfRows(
  ctx: Context,
  companyId: string,
  by: ReportKey | undefined,
  rows: readonly Row[],
  timeZone: string,
): Promise<(value: string) => string> {
  if (!by) return () => '';
  const values = new Set(rows.map(({ value }) => value).filter((value) => value !== OTHER));
  const nameOf = await nameValues(ctx, companyId, [by], [values], timeZone);
  return (value) => (value === OTHER ? OTHER : nameOf(by, value));
}

/** Figures of a row of cohorts, which add up. */
interface RowFigures {
  installs: number;
  unknownAmounts: number;
  spendMicros: number;
  /** In the order of {@link COHORT_DAYS}; `spendMicros` is the spend of the share that is mature. */
  days: (DayFigures & { spendMicros: number })[];
}

/** A row without anything, to which {@link addRow} adds. */
function emptyRow(): RowFigures {
  const day = { people: 0, revenueMicros: 0, squares: 0, payers: 0, active: 0, spendMicros: 0 };
  return { installs: 0, unknownAmounts: 0, spendMicros: 0, days: COHORT_DAYS.map(() => ({ ...day })) };
}

/** Adds `row` to `sum` in place. */
function addRow(sum: RowFigures, row: RowFigures): void {
  sum.installs += row.installs;
  sum.unknownAmounts += row.unknownAmounts;
  sum.spendMicros += row.spendMicros;
  for (const [at, day] of row.days.entries()) {
    const of = sum.days[at]!;
    of.people += day.people;
    of.revenueMicros += day.revenueMicros;
    of.squares += day.squares;
    of.payers += day.payers;
    of.active += day.active;
    of.spendMicros += day.spendMicros;
  }
}

/** The cells of a row with the chosen metrics. */
function cellsOf({ installs, days }: RowFigures, metrics: ReadonlySet<CohortMetric>): CohortCell[] {
  return days.map((figures, at) => {
    const { people, revenueMicros, payers, active, spendMicros } = figures;
    const arpu = meanOf(figures);
    const known = people > 0;
    return {
      day: COHORT_DAYS[at]!,
      mature_share: installs > 0 ? people / installs : null,
      people,
      ...(metrics.has('revenue') && { revenue: known ? revenueMicros / 1_000_000 : null }),
      ...(metrics.has('roas') && {
        roas: arpu && spendMicros > 0 ? scaled(arpu, (people / spendMicros) * 100_000_000) : null,
      }),
      ...(metrics.has('arpu') && { arpu }),
      ...(metrics.has('payers') && { payers: known ? payers : null }),
      ...(metrics.has('payer_rate') && { payer_rate: rateOf(payers, people, 100) }),
      ...(metrics.has('retention') && { retention: rateOf(active, people, 100) }),
    };
  });
}

/** The 97.5 % quantile of the standard normal distribution, for intervals that hold in 95 of 100 cases. */
const Z = 1.959_963_985;

/**
 * Revenue per person in dollars, with the normal interval of a mean. Refunds aside, it does not reach below 0. Null without
 * people.
 */
function meanOf({ people, revenueMicros, squares }: DayFigures): Estimate | null {
  if (people === 0) return null;
  const sum = revenueMicros / 1_000_000;
  const value = sum / people;
  if (people === 1) return { value, low: null, high: null };
  const variance = Math.max(0, squares - sum * value) / (people - 1);
  const half = Z * Math.sqrt(variance / people);
  return { value, low: value >= 0 ? Math.max(0, value - half) : value - half, high: value + half };
}

function scaled({ value, low, high }: Estimate, by: number): Estimate {
  return { value: value * by, low: low === null ? null : low * by, high: high === null ? null : high * by };
}
