const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A projection of the events table that aggregates by hour, or by day or month of UTC. */
interface Sums {
  name: string;
  grain: 'hour' | 'day' | 'month';
  columns: readonly string[];
  /** Approximate cost in ms of reading one day of a large company (bench/reports.ts), by which plans are compared. */
  dayMs: number;
}

/** Cost in ms of reading one day of unaggregated events. */
const EVENTS_DAY_MS = 20;
/** Fixed cost in ms of reading one segment. */
const PIECE_MS = 10;

const creative = [
  'creative_group_id',
  'creative_id',
  'creative_type',
  'creative_width',
  'creative_height',
  'creative_duration_ms',
];

const place = ['campaign_id', 'adset_id', 'app_id', 'os', 'country', 'exchange'];

/** Sorted by size: a query reads the first one that has all its columns. */
const allSums: readonly Sums[] = [
  { name: 'hourly_campaigns', grain: 'hour', columns: ['campaign_id', 'app_id'], dayMs: 0.08 },
  {
    name: 'daily_creatives',
    grain: 'day',
    columns: ['campaign_id', 'adset_id', 'app_id', 'os', ...creative],
    dayMs: 0.06,
  },
  { name: 'daily_places', grain: 'day', columns: place, dayMs: 0.4 },
  { name: 'daily_bundles', grain: 'day', columns: ['bundle'], dayMs: 0.4 },
  { name: 'monthly_places', grain: 'month', columns: place, dayMs: 0.015 },
  { name: 'monthly_bundles', grain: 'month', columns: ['bundle'], dayMs: 0.015 },
];

/** A span of time in unix ms, the end excluded. */
export interface Period {
  fromMs: number;
  beforeMs: number;
}

/** A segment of a period that is read from one aggregate. */
export interface Piece extends Period {
  grain: 'event' | 'hour' | 'day' | 'month';
  /** Name of the projection; null for the unaggregated events. */
  sums: string | null;
  /** Reads only these hours of the segment, or all but these. Starts in unix ms. */
  hours?: { which: 'only' | 'except'; startsMs: readonly number[] };
}

/** A segment and the period that it counts for: the queried one, the one before it, or both. */
export interface PieceOf extends Piece {
  part: 'now' | 'before' | 'both';
}

/**
 * Plans the reading of a period and the one before it: each on its own, or both together where they adjoin and that
 * is cheaper. See {@link planPieces}. Pure.
 */
export function planBoth(
  period: Period,
  before: Period | undefined,
  startsMs: readonly number[],
  columns: readonly string[],
): PieceOf[] {
  const piecesOf = (part: PieceOf['part'], span: Period, starts = startsMs): PieceOf[] =>
    planPieces(span, starts, columns).map((piece) => ({ ...piece, part }));
  const apart = [...piecesOf('now', period), ...(before ? piecesOf('before', before) : [])];
  if (before?.beforeMs !== period.fromMs) return apart;
  const both = { fromMs: before.fromMs, beforeMs: period.beforeMs };
  return quickest([piecesOf('both', both, [period.fromMs, ...startsMs]), apart]);
}

/**
 * Divides a period into segments, each read from one aggregate: whole months and days of UTC from monthly and daily
 * aggregates, the hours around them from hourly ones, the rest from the events. Finer segments are used where that is
 * cheaper. Exact in every time zone: no aggregated hour, day or month spans an edge of the period or of a bucket
 * (`startsMs`). `columns` are those that the query reads. Pure.
 */
export function planPieces(period: Period, startsMs: readonly number[], columns: readonly string[]): Piece[] {
  const inner = startsMs.filter((startMs) => startMs > period.fromMs && startMs < period.beforeMs);
  const sumsOf = (grain: Sums['grain']) =>
    allSums.find((sums) => sums.grain === grain && columns.every((column) => sums.columns.includes(column)))
      ?.name;
  const byHour = (part: Period) => piecesByHour(part, inner, sumsOf('hour'));
  const byDay = (part: Period) => coarsePieces(part, 'day', sumsOf('day'), inner, byHour);
  const byMonth = coarsePieces(period, 'month', sumsOf('month'), inner, byDay);
  return quickest([byHour(period), byDay(period), byMonth]);
}

function quickest<P extends Piece>(plans: readonly P[][]): P[] {
  const costs = plans.map((pieces) => pieces.reduce((sum, piece) => sum + costMs(piece), 0));
  return plans[costs.indexOf(Math.min(...costs))]!;
}

function costMs({ sums, fromMs, beforeMs, hours }: Piece): number {
  const dayMs = allSums.find(({ name }) => name === sums)?.dayMs ?? EVENTS_DAY_MS;
  const spanMs = hours?.which === 'only' ? hours.startsMs.length * HOUR_MS : beforeMs - fromMs;
  return PIECE_MS + (dayMs * spanMs) / DAY_MS;
}

/** Reads the whole days or months of a period from one aggregate, and the remainder at both ends through `finer`. */
function coarsePieces(
  period: Period,
  grain: 'month' | 'day',
  sums: string | undefined,
  startsMs: readonly number[],
  finer: (part: Period) => Piece[],
): Piece[] {
  const { fromMs, beforeMs } = period;
  const [first, end] = [ceilTo[grain](fromMs), floorTo[grain](beforeMs)];
  const isCut = startsMs.some(
    (startMs) => startMs > first && startMs < end && floorTo[grain](startMs) !== startMs,
  );
  if (!sums || first >= end || isCut) return finer(period);
  return [
    ...finer({ fromMs, beforeMs: first }),
    { grain, sums, fromMs: first, beforeMs: end },
    ...finer({ fromMs: end, beforeMs }),
  ];
}

function piecesByHour(
  { fromMs, beforeMs }: Period,
  startsMs: readonly number[],
  hourly: string | undefined,
): Piece[] {
  if (fromMs >= beforeMs) return [];
  const event = (from: number, before: number): Piece[] =>
    from < before ? [{ grain: 'event', sums: null, fromMs: from, beforeMs: before }] : [];
  const [first, end] = [ceil(fromMs, HOUR_MS), floor(beforeMs, HOUR_MS)];
  if (!hourly || first >= end) return event(fromMs, beforeMs);
  const cut = new Set(
    startsMs
      .filter((startMs) => startMs % HOUR_MS !== 0)
      .map((startMs) => floor(startMs, HOUR_MS))
      .filter((startMs) => startMs >= first && startMs < end),
  );
  const whole: Piece = { grain: 'hour', sums: hourly, fromMs: first, beforeMs: end };
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
