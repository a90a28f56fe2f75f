const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Sums of the events table (its projections), by the hour or by the day of UTC. */
interface Sums {
  name: string;
  grain: 'hour' | 'day';
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

/** The smallest first: the first that has every column of a question answers it. */
const allSums: readonly Sums[] = [
  { name: 'hourly_by_campaign', grain: 'hour', columns: ['campaign_id', 'app_id'] },
  {
    name: 'daily_by_creative',
    grain: 'day',
    columns: ['campaign_id', 'adset_id', 'app_id', 'os', ...creative],
  },
  {
    name: 'daily_by_place',
    grain: 'day',
    columns: ['campaign_id', 'adset_id', 'app_id', 'os', 'country', 'exchange'],
  },
  { name: 'daily_by_bundle', grain: 'day', columns: ['bundle'] },
];

/** A span of time, in unix ms, the end excluded. */
export interface Period {
  fromMs: number;
  beforeMs: number;
}

/** A part of a period, and from what it is read. */
export interface Piece extends Period {
  grain: 'event' | 'hour' | 'day';
  /** The sums it is read from; null for the events themselves. */
  sums: string | null;
  /** Only these hours of it, or all but these: starts in unix ms. */
  hours?: { which: 'only' | 'except'; startsMs: readonly number[] };
}

/**
 * From what a period is read: days of UTC from sums by the day, the hours around them from sums by the hour, what is left
 * from the events. Exact whatever the time zone: no piece is cut by an edge of the period or of a bucket (`startsMs`).
 * `columns` are those that the question names. Pure.
 */
export function planPieces(
  { fromMs, beforeMs }: Period,
  startsMs: readonly number[],
  columns: readonly string[],
): Piece[] {
  if (fromMs >= beforeMs) return [];
  const covering = (grain: Sums['grain']) =>
    allSums.find((sums) => sums.grain === grain && columns.every((column) => sums.columns.includes(column)))
      ?.name;
  const [daily, hourly] = [covering('day'), covering('hour')];
  const inner = startsMs.filter((startMs) => startMs > fromMs && startMs < beforeMs);
  const byHour = (from: number, before: number) =>
    piecesByHour({ fromMs: from, beforeMs: before }, inner, hourly);
  const [firstDay, endDay] = [ceil(fromMs, DAY_MS), floor(beforeMs, DAY_MS)];
  if (!daily || firstDay >= endDay || inner.some((startMs) => startMs % DAY_MS !== 0))
    return byHour(fromMs, beforeMs);
  return [
    ...byHour(fromMs, firstDay),
    { grain: 'day', sums: daily, fromMs: firstDay, beforeMs: endDay },
    ...byHour(endDay, beforeMs),
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

const floor = (atMs: number, stepMs: number) => Math.floor(atMs / stepMs) * stepMs;
const ceil = (atMs: number, stepMs: number) => Math.ceil(atMs / stepMs) * stepMs;
