const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Sums of the events table (its projections), by the hour, or by the day or month of UTC. */
interface Sums {
  name: string;
  grain: 'hour' | 'day' | 'month';
  columns: readonly string[];
}

const creative = [
  'creative_group_id',
  'creative_id',
  'creative_type',
  'creative_width',
  'creative_height',
  'creative_duration_ms',
];

const place = ['campaign_id', 'adset_id', 'app_id', 'os', 'country', 'exchange'];

/** The smallest first: the first that has every column of a question answers it. */
const allSums: readonly Sums[] = [
  { name: 'hourly_by_campaign', grain: 'hour', columns: ['campaign_id', 'app_id'] },
  {
    name: 'daily_by_creative',
    grain: 'day',
    columns: ['campaign_id', 'adset_id', 'app_id', 'os', ...creative],
  },
  { name: 'daily_by_place', grain: 'day', columns: place },
  { name: 'daily_by_bundle', grain: 'day', columns: ['bundle'] },
  { name: 'monthly_by_place', grain: 'month', columns: place },
  { name: 'monthly_by_bundle', grain: 'month', columns: ['bundle'] },
];

/** A span of time, in unix ms, the end excluded. */
export interface Period {
  fromMs: number;
  beforeMs: number;
}

/** A part of a period, and from what it is read. */
export interface Piece extends Period {
  grain: 'event' | 'hour' | 'day' | 'month';
  /** The sums it is read from; null for the events themselves. */
  sums: string | null;
  /** Only these hours of it, or all but these: starts in unix ms. */
  hours?: { which: 'only' | 'except'; startsMs: readonly number[] };
}

/**
 * From what a period is read: whole months and days of UTC from the sums that have them, the hours around them from sums
 * by the hour, what is left from the events. Exact whatever the time zone: no piece is cut by an edge of the period or of
 * a bucket (`startsMs`). `columns` are those that the question names. Pure.
 */
export function planPieces(period: Period, startsMs: readonly number[], columns: readonly string[]): Piece[] {
  const inner = startsMs.filter((startMs) => startMs > period.fromMs && startMs < period.beforeMs);
  const sumsOf = (grain: Sums['grain']) =>
    allSums.find((sums) => sums.grain === grain && columns.every((column) => sums.columns.includes(column)))
      ?.name;
  const byHour = (part: Period) => piecesByHour(part, inner, sumsOf('hour'));
  const byDay = (part: Period) => coarsePieces(part, 'day', sumsOf('day'), inner, byHour);
  return coarsePieces(period, 'month', sumsOf('month'), inner, byDay);
}

/** What is whole in a grain from its sums, and what is around it from finer ones. */
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
