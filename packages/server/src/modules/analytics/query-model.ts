import type { Counts, ReportKey } from '@bidwell/contract/metrics';
import type { EventKind } from '../../delivery/model/event.ts';
import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';
import { settingsText } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import type { Period, PieceOf } from './plan.ts';
import { planBoth } from './plan.ts';

/** How a report's key is computed from `events`. Client input reaches SQL only as bound parameters. */
interface Dimension {
  /** Expression over `columns`, by which the aggregates can group. */
  sql: string;
  columns: readonly string[];
  type: 'UUID' | 'String' | 'UInt32';
}

const column = (name: string, type: Dimension['type'] = 'String'): Dimension => ({
  sql: name,
  columns: [name],
  type,
});

export const dimensions: Readonly<Record<ReportKey, Dimension>> = {
  campaign: column('campaign_id', 'UUID'),
  adset: column('adset_id', 'UUID'),
  app: column('app_id', 'UUID'),
  bundle: column('bundle'),
  os: column('os'),
  country: column('country'),
  creative: column('creative_id', 'UUID'),
  creative_group: column('creative_group_id', 'UUID'),
  creative_width: column('creative_width', 'UInt32'),
  creative_height: column('creative_height', 'UInt32'),
  /** Rounded to seconds. */
  creative_duration: {
    sql: 'toUInt32(round(creative_duration_ms / 1000))',
    columns: ['creative_duration_ms'],
    type: 'UInt32',
  },
  exchange: column('exchange'),
  creative_type: column('creative_type'),
  format: {
    sql: "concat(toString(creative_width), 'x', toString(creative_height))",
    columns: ['creative_width', 'creative_height'],
    type: 'String',
  },
};

type Measure = keyof Counts;

const countOf = (kind: EventKind) => `countIf(kind = '${kind}')`;
const validCountOf = (kind: EventKind) => `countIf(kind = '${kind}' and mark = '')`;

/** The projections are defined with exactly these expressions. */
const measures: Readonly<Record<Measure, string>> = {
  // Invalid traffic is counted separately; installs that a partner rejected later are subtracted.
  clicks: validCountOf('click'),
  installs: `${validCountOf('install')} - ${validCountOf('install_rejected')}`,
  impressions: countOf('impression'),
  spendMicros: 'sum(spend_micros)',
  wins: countOf('win'),
  losses: countOf('loss'),
  invalidClicks: `${countOf('click')} - ${validCountOf('click')}`,
  invalidInstalls: `${countOf('install')} - ${validCountOf('install')}`,
};

const USUAL_MEASURES = ['clicks', 'installs', 'impressions', 'spendMicros'] as const;

/** A span of time that is one row of a report: from `startMs` to the start of the next bucket. */
export interface Bucket {
  startMs: number;
  value: string;
}

export interface CountsQuery {
  period: Period;
  /** A second period, whose counts are returned in `before` of each row. */
  before?: Period | undefined;
  /** Group by: keys, or buckets. Buckets are sorted, and the first starts no later than the periods. */
  by: readonly (ReportKey | readonly Bucket[])[];
  /** Values allowed for a key, valid for the dimension's type. A key that is absent does not filter. */
  filters: Partial<Record<ReportKey, readonly string[]>>;
  /** Also counts wins, losses and invalid traffic. */
  extended?: boolean;
  /** Most rows, highest spend first, after skipping `offset` rows. */
  limit?: number;
  offset?: number;
  /** Most rows for each combination of all keys but the last. */
  top?: number | undefined;
  /** Only rows whose first value is one of these. */
  firstValues?: readonly string[];
  /** Also returns the number of rows regardless of `limit` and `offset`. */
  counted?: boolean;
}

export interface CountsRow extends Counts {
  /** In the order of `by`. */
  values: string[];
  /** Counts of the second period. */
  before?: Counts;
  /** With `counted`. */
  rowsTotal?: number;
}

/**
 * A row of the response: values, measures of the period, measures of the second period, number of rows; absent if not
 * queried.
 */
type AnsweredRow = [values: string[], ...figures: number[]];

/**
 * Counts a company's events of a period without test traffic. Without `by` there is one row, the total; for an empty
 * period there is none.
 */
export async function countEvents(
  clickhouse: ClickHouse,
  companyId: string,
  query: CountsQuery,
  settings: QuerySettings = {},
): Promise<CountsRow[]> {
  if (isEmpty(query.period) && (!query.before || isEmpty(query.before))) return [];
  const { sql, params } = countsSql(companyId, query);
  const rows = await clickhouse.query<AnsweredRow>(sql, params, 'JSONCompact', settings);
  return rows.map((row) => countsRowOf(row, query));
}

/**
 * All rows have the same properties in the same order and are built without spread, which keeps thousands of rows
 * fast.
 */
function countsRowOf(row: AnsweredRow, query: CountsQuery): CountsRow {
  const { extended, before, counted } = query;
  return Object.assign(countsAt(row, 1, extended), {
    before: before && countsAt(row, 1 + measuresOf(query).length, extended),
    values: row[0],
    rowsTotal: counted ? (row.at(-1) as number) : undefined,
  });
}

function countsAt(row: AnsweredRow, at: number, extended: boolean | undefined): Counts {
  return {
    clicks: row[at] as number,
    installs: row[at + 1] as number,
    impressions: row[at + 2] as number,
    spendMicros: row[at + 3] as number,
    wins: extended ? (row[at + 4] as number) : undefined,
    losses: extended ? (row[at + 5] as number) : undefined,
    invalidClicks: extended ? (row[at + 6] as number) : undefined,
    invalidInstalls: extended ? (row[at + 7] as number) : undefined,
  };
}

/**
 * Like {@link countEvents} for any number of rows, yielded in batches with constant memory here. `limits` bound what
 * ClickHouse may use. Without comparison.
 */
export async function* streamCounts(
  clickhouse: ClickHouse,
  companyId: string,
  query: Omit<CountsQuery, 'before' | 'counted'>,
  limits: QuerySettings,
): AsyncGenerator<CountsRow[]> {
  if (isEmpty(query.period)) return;
  const { sql, params } = countsSql(companyId, query);
  const settings = settingsText({
    output_format_json_quote_64bit_integers: 0,
    max_block_size: 8192,
    ...limits,
  });
  const decoder = new TextDecoder();
  let open = '';
  const rowsOf = (text: string): CountsRow[] =>
    text
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [countsRowOf(JSON.parse(line) as AnsweredRow, query)]));
  for await (const bytes of clickhouse.stream(`${sql} ${settings}`, params, 'JSONCompactEachRow')) {
    open += decoder.decode(bytes, { stream: true });
    // A block may be many megabytes of text: yield to the event loop between its parts.
    for (let at = 0; ;) {
      const end = open.lastIndexOf('\n', at + SLICE_CHARACTERS);
      if (end < at) {
        open = open.slice(at);
        break;
      }
      yield rowsOf(open.slice(at, end));
      at = end + 1;
      await new Promise((next) => setImmediate(next));
    }
  }
  yield rowsOf(open);
}

/** Buckets that start before 1970 or from 2106 on contain no events and do not fit ClickHouse's UInt32 timestamps. */
const STARTS_BEFORE_MS = 2 ** 32 * 1000;

const isEmpty = ({ fromMs, beforeMs }: Period) => fromMs >= beforeMs;
const SLICE_CHARACTERS = 128 * 1024;

const EXTENDED_MEASURES = [...USUAL_MEASURES, 'wins', 'losses', 'invalidClicks', 'invalidInstalls'] as const;

const measuresOf = ({ extended }: CountsQuery): readonly Measure[] =>
  extended ? EXTENDED_MEASURES : USUAL_MEASURES;

/**
 * The SQL of {@link countEvents}: counts each segment of the plan and merges them. `fromEvents` reads no aggregates;
 * it is slower and must give the same result.
 */
export function countsSql(
  companyId: string,
  query: CountsQuery,
  { fromEvents = false } = {},
): { sql: string; params: Record<string, unknown> } {
  const { by, before, limit, offset, top, firstValues, counted } = query;
  const params: Record<string, unknown> = { company: companyId };
  const names = measuresOf(query);
  const keys = by.map((_, index) => `k${index}`);
  const selects = by.map((key, index) => {
    if (typeof key === 'string') return `toString(d${index}) as k${index}`;
    const buckets = key.filter(({ startMs }) => startMs >= 0 && startMs < STARTS_BEFORE_MS);
    params[`starts${index}`] = buckets.map(({ startMs }) => Math.floor(startMs / 1000));
    params[`labels${index}`] = buckets.map(({ value }) => value);
    return `transform(d${index}, {starts${index}:Array(UInt32)}, {labels${index}:Array(String)}, '') as k${index}`;
  });
  const filters = filterConditions(query, params);
  const plan = fromEvents
    ? eventsOf(query)
    : planBoth(query.period, before, startsOf(query), columnsOf(query));
  const pieces = plan.map((piece, index) =>
    pieceSql(piece, { name: String(index), by, names, filters, boundaryMs: query.period.fromMs }, params),
  );
  // One segment of one period already has one row per combination, unless buckets share a value.
  const isSummed = !before && pieces.length === 1 && by.every(hasDistinctValues);
  const figures = before
    ? [
        ...names.map((name) => `sumIf(p_${name}, part = 0) as ${name}`),
        ...names.map((name) => `sumIf(p_${name}, part = 1) as ${name}Before`),
      ]
    : names.map((name) => (isSummed ? `p_${name} as ${name}` : `sum(p_${name}) as ${name}`));
  if (firstValues) params['firstValues'] = firstValues;
  const whole = (count: number) => String(Math.trunc(count));
  return {
    params,
    sql: `
      select ${keys.length > 0 ? `[${keys.join(', ')}]` : 'emptyArrayString()'} as values,
        ${[...figures, ...(counted ? ['count() over () as rowsTotal'] : [])].join(', ')}
      from (select ${[...selects, 'part', ...names.map((name) => `p_${name}`)].join(', ')}
        from (${pieces.join('\n union all ')}))
      ${firstValues ? 'where k0 in {firstValues:Array(String)}' : ''}
      ${keys.length > 0 && !isSummed ? `group by ${keys.join(', ')}` : ''}
      ${keys.length > 0 ? 'order by spendMicros desc, impressions desc, values' : ''}
      ${top === undefined ? '' : `limit ${whole(top)}${keys.length > 1 ? ` by ${keys.slice(0, -1).join(', ')}` : ''}`}
      ${limit === undefined || (top !== undefined && keys.length === 1) ? '' : `limit ${whole(limit)}`}
      ${offset === undefined ? '' : `offset ${whole(offset)}`}`,
  };
}

function eventsOf({ period, before }: CountsQuery): PieceOf[] {
  const whole = { grain: 'event', sums: null } as const;
  return [
    { ...whole, ...period, part: 'now' },
    ...(before ? [{ ...whole, ...before, part: 'before' as const }] : []),
  ];
}

function hasDistinctValues(key: ReportKey | readonly Bucket[]): boolean {
  return typeof key === 'string' || new Set(key.map(({ value }) => value)).size === key.length;
}

function startsOf({ by }: CountsQuery): number[] {
  return by.flatMap((key) => (typeof key === 'string' ? [] : key.map(({ startMs }) => startMs)));
}

function columnsOf({ by, filters }: CountsQuery): string[] {
  const keys = [...by, ...(Object.keys(filters) as ReportKey[])];
  return keys.flatMap((key) => (typeof key === 'string' ? dimensions[key].columns : []));
}

function filterConditions({ filters }: CountsQuery, params: Record<string, unknown>): string[] {
  return (Object.keys(dimensions) as ReportKey[]).flatMap((key) => {
    const values = filters[key];
    if (!values) return [];
    const { sql, type } = dimensions[key];
    params[`only_${key}`] = type === 'UInt32' ? values.map(Number) : values;
    return [`${sql} in {only_${key}:Array(${type})}`];
  });
}

/** SQL for the time column of each grain, and the type of its bounds. Pruning requires exactly this type. */
const times = {
  event: { sql: 'time', type: "DateTime64(3, 'UTC')", bound: (atMs: number) => clickhouseTime(atMs) },
  hour: {
    sql: 'toStartOfHour(time)',
    type: "DateTime('UTC')",
    bound: (atMs: number) => clickhouseTime(atMs).slice(0, 19),
  },
  month: {
    sql: 'toStartOfMonth(time)',
    type: 'Date',
    bound: (atMs: number) => clickhouseTime(atMs).slice(0, 10),
  },
  day: { sql: 'toDate(time)', type: 'Date', bound: (atMs: number) => clickhouseTime(atMs).slice(0, 10) },
} as const;

interface PieceContext {
  name: string;
  /** Start of the period, and end of the one before it. */
  boundaryMs: number;
  by: CountsQuery['by'];
  names: readonly Measure[];
  filters: readonly string[];
}

function pieceSql(
  { grain, sums, fromMs, beforeMs, hours, part }: PieceOf,
  { name, boundaryMs, by, names, filters }: PieceContext,
  params: Record<string, unknown>,
): string {
  const { sql: time, type, bound } = times[grain];
  params[`from${name}`] = bound(fromMs);
  params[`before${name}`] = bound(beforeMs);
  if (hours) params[`hours${name}`] = hours.startsMs.map((startMs) => times.hour.bound(startMs));
  const instant = grain === 'day' || grain === 'month' ? `toDateTime(${time}, 'UTC')` : time;
  const keys = by.map((key, index) =>
    typeof key === 'string'
      ? `${dimensions[key].sql} as d${index}`
      : `roundDown(toUnixTimestamp(${instant}), {starts${index}:Array(UInt32)}) as d${index}`,
  );
  if (part === 'both') params['boundary'] = Math.floor(boundaryMs / 1000);
  const parts = {
    now: '0',
    before: '1',
    both: `toUnixTimestamp(${instant}) < {boundary:UInt32}`,
  };
  const groups = [...by.map((_, index) => `d${index}`), ...(part === 'both' ? ['part'] : [])];
  const conditions = [
    'company_id = {company:UUID}',
    'test = 0',
    `${time} >= {from${name}:${type}}`,
    `${time} < {before${name}:${type}}`,
    ...(hours
      ? [
          `toStartOfHour(time) ${hours.which === 'only' ? '' : 'not '}in {hours${name}:Array(${times.hour.type})}`,
        ]
      : []),
    ...filters,
  ];
  return `
    select ${[...keys, `${parts[part]} as part`, ...names.map((measure) => `${measures[measure]} as p_${measure}`)].join(', ')}
    from events
    where ${conditions.join(' and ')}
    ${groups.length > 0 ? `group by ${groups.join(', ')}` : ''}
    settings ${sums ? `preferred_optimize_projection_name = '${sums}'` : 'optimize_use_projections = 0'}`;
}
