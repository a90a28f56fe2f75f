import { type ReportAggregateName, reportAggregates } from '../../../platform/clickhouse/aggregates.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Cost in ms of reading one day of unaggregated events. */
const EVENTS_DAY_MS = 20;
/** Fixed cost in ms of reading one segment. */
const SEGMENT_MS = 10;

/** Approximate cost in ms of reading one day of a large company (bench/reports.ts), by which plans are compared. */
const dayCostMs: Readonly<Record<ReportAggregateName, number>> = {
  hourly_campaigns: 0.08,
  daily_creatives: 0.06,
  daily_places: 0.4,
  daily_bundles: 0.4,
  monthly_places: 0.015,
  monthly_bundles: 0.015,
};

/** A span of time in unix ms, the end excluded. */
export interface Period {
  fromMs: number;
  beforeMs: number;
}

/** Whether nothing can be stored in a period, which has no segment then. */
export const isEmptyPeriod = ({ fromMs, beforeMs }: Period): boolean => fromMs >= beforeMs;

/** A segment of a period that is read from one aggregate. */
export interface Segment extends Period {
  grain: 'event' | 'hour' | 'day' | 'month';
  /** Null for the unaggregated events. */
  aggregate: ReportAggregateName | null;
  /** Reads only these hours of the segment, or all but these. Starts in unix ms. */
  hours?: { which: 'only' | 'except'; startsMs: readonly number[] };
}

/** A segment and the period that it counts for: the queried one, the one before it, or both. */
export interface PlannedSegment extends Segment {
  part: 'now' | 'before' | 'both';
}

/**
 * Plans the reading of a period and the one before it: each on its own, or both together where they adjoin and that
 * is cheaper. See {@link planSegments}. Pure.
 */
export function planComparison(
  period: Period,
  before: Period | undefined,
  startsMs: readonly number[],
  columns: readonly string[],
): PlannedSegment[] {
  const segmentsOf = (part: PlannedSegment['part'], span: Period, starts = startsMs): PlannedSegment[] =>
    planSegments(span, starts, columns).map((segment) => ({ ...segment, part }));
  const apart = [...segmentsOf('now', period), ...(before ? segmentsOf('before', before) : [])];
  if (before?.beforeMs !== period.fromMs) return apart;
  const both = { fromMs: before.fromMs, beforeMs: period.beforeMs };
  return cheapest([segmentsOf('both', both, [period.fromMs, ...startsMs]), apart]);
}

/**
 * Divides a period into segments, each read from one aggregate: whole months and days of UTC from monthly and daily
 * aggregates, the hours around them from hourly ones, the rest from the events. Finer segments are used where that is
 * cheaper. Exact in every time zone: no aggregated hour, day or month spans an edge of the period or of a bucket
 * (`startsMs`). `columns` are those that the query reads. Pure.
 */
export function planSegments(
  period: Period,
  startsMs: readonly number[],
  columns: readonly string[],
): Segment[] {
  const inner = startsMs.filter((startMs) => startMs > period.fromMs && startMs < period.beforeMs);
  // The aggregates of a grain are sorted by size: the first that has all columns is the cheapest.
  const aggregateOf = (grain: Segment['grain']) =>
    reportAggregates.find(
      (aggregate) =>
        aggregate.grain === grain && columns.every((column) => aggregate.columns.includes(column)),
    )?.name;
  const byHour = (part: Period) => segmentsByHour(part, inner, aggregateOf('hour'));
  const byDay = (part: Period) => coarseSegments(part, 'day', aggregateOf('day'), inner, byHour);
  const byMonth = coarseSegments(period, 'month', aggregateOf('month'), inner, byDay);
  return cheapest([byHour(period), byDay(period), byMonth]);
}

function cheapest<P extends Segment>(plans: readonly P[][]): P[] {
  const costs = plans.map((segments) => segments.reduce((sum, segment) => sum + costMs(segment), 0));
  return plans[costs.indexOf(Math.min(...costs))]!;
}

function costMs({ aggregate, fromMs, beforeMs, hours }: Segment): number {
  const dayMs = aggregate ? dayCostMs[aggregate] : EVENTS_DAY_MS;
  const spanMs = hours?.which === 'only' ? hours.startsMs.length * HOUR_MS : beforeMs - fromMs;
  return SEGMENT_MS + (dayMs * spanMs) / DAY_MS;
}

/** Reads the whole days or months of a period from one aggregate, and the remainder at both ends through `finer`. */
function coarseSegments(
  period: Period,
  grain: 'month' | 'day',
  aggregate: ReportAggregateName | undefined,
  startsMs: readonly number[],
  finer: (part: Period) => Segment[],
): Segment[] {
  const { fromMs, beforeMs } = period;
  const [first, end] = [ceilTo[grain](fromMs), floorTo[grain](beforeMs)];
  const isDivided = startsMs.some(
    (startMs) => startMs > first && startMs < end && floorTo[grain](startMs) !== startMs,
  );
  if (!aggregate || first >= end || isDivided) return finer(period);
  return [
    ...finer({ fromMs, beforeMs: first }),
    { grain, aggregate, fromMs: first, beforeMs: end },
    ...finer({ fromMs: end, beforeMs }),
  ];
}

function segmentsByHour(
  { fromMs, beforeMs }: Period,
  startsMs: readonly number[],
  hourly: ReportAggregateName | undefined,
): Segment[] {
  if (fromMs >= beforeMs) return [];
  const event = (from: number, before: number): Segment[] =>
    from < before ? [{ grain: 'event', aggregate: null, fromMs: from, beforeMs: before }] : [];
  const [first, end] = [ceil(fromMs, HOUR_MS), floor(beforeMs, HOUR_MS)];
  if (!hourly || first >= end) return event(fromMs, beforeMs);
  const cut = new Set(
    startsMs
      .filter((startMs) => startMs % HOUR_MS !== 0)
      .map((startMs) => floor(startMs, HOUR_MS))
      .filter((startMs) => startMs >= first && startMs < end),
  );
  const whole: Segment = { grain: 'hour', aggregate: hourly, fromMs: first, beforeMs: end };
  const hours = [...cut];
  return [
    ...event(fromMs, first),
    ...(hours.length === 0
      ? [whole]
      : [
          { ...whole, hours: { which: 'except' as const, startsMs: hours } },
          { ...event(first, end)[0]!, hours: { which: 'only' as const, startsMs: hours } },
        ]),
    ...event(end, beforeMs),
  ];
}

function monthStart(atMs: number, later = 0): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later, 1);
}

const floor = (atMs: number, stepMs: number) => Math.floor(atMs / stepMs) * stepMs;
const ceil = (atMs: number, stepMs: number) => Math.ceil(atMs / stepMs) * stepMs;

const floorTo = { day: (atMs: number) => floor(atMs, DAY_MS), month: (atMs: number) => monthStart(atMs) };
const ceilTo = {
  day: (atMs: number) => ceil(atMs, DAY_MS),
  month: (atMs: number) => (monthStart(atMs) === atMs ? atMs : monthStart(atMs, 1)),
};
