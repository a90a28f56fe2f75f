import type { Counts, ReportKey } from '@bidwell/contract/metrics';
import type { EventKind } from '../../delivery/model/event.ts';
import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';
import { settingsText } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import type { Period, PieceOf } from './plan.ts';
import { planBoth } from './plan.ts';

/** What a key of a report is in `events`. Nothing that a client sends reaches SQL but as a bound parameter. */
interface Dimension {
  /** Over the columns named, which the sums may group by. */
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
  /** Whole seconds. */
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

/** The sums hold exactly these expressions. */
const measures: Readonly<Record<Measure, string>> = {
  // Invalid traffic is told apart, and what a partner rejected later is taken back.
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

/** A span of time that a report shows as one: it begins at `startMs` and ends where the next begins. */
export interface Bucket {
  startMs: number;
  value: string;
}

export interface CountsQuery {
  period: Period;
  /** A second period, counted beside the first. */
  before?: Period | undefined;
  /** A row for each combination: of a key's values, or of buckets (sorted; the first begins no later than a period). */
  by: readonly (ReportKey | readonly Bucket[])[];
  /** An absent key does not filter; values that fit the dimension's type. */
  filters: Partial<Record<ReportKey, readonly string[]>>;
  /** Also bids won and lost, and invalid traffic. */
  extended?: boolean;
  /** Rows at most, those that spent most first, after `offset` of them. */
  limit?: number;
  offset?: number;
  /** Rows at most of each combination of all but the last of `by`. */
  top?: number | undefined;
  /** Only rows whose first value is one of these. */
  firstValues?: readonly string[];
  /** Also how many rows there are without limit and offset. */
  counted?: boolean;
}

export interface CountsRow extends Counts {
  /** In the order of `by`. */
  values: string[];
  /** Of the second period. */
  before?: Counts;
  /** Where it is asked for. */
  rowsTotal?: number;
}

/** Then the measures of the period, those of the period before, and the number of all rows, as far as they are asked for. */
type AnsweredRow = [values: string[], ...figures: number[]];

/** What was counted of a company's events in a period; test traffic is not. Without `by`: one row, the total; none for an empty period. */
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

/** All rows have one shape, whatever is asked for, and none is spread: making and summing thousands is quick then. */
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
 * The same, however many rows there are: some at a time, in constant memory here; `limits` bound what the engine may take.
 * Without comparison.
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
    // A block may be many megabytes of text: other callers have their turn between its parts.
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

/** Spans that begin before 1970 or from 2106 on hold no event, and no number of the engine's. */
const STARTS_BEFORE_MS = 2 ** 32 * 1000;

const isEmpty = ({ fromMs, beforeMs }: Period) => fromMs >= beforeMs;
const SLICE_CHARACTERS = 128 * 1024;

const EXTENDED_MEASURES = [...USUAL_MEASURES, 'wins', 'losses', 'invalidClicks', 'invalidInstalls'] as const;

const measuresOf = ({ extended }: CountsQuery): readonly Measure[] =>
  extended ? EXTENDED_MEASURES : USUAL_MEASURES;

/**
 * The query behind {@link countEvents}: what each piece of the periods sums, put together. `fromEvents` reads everything
 * from the events themselves, which takes longer and must answer the same.
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
  // One piece of one period has a row for each combination already, unless buckets share a value.
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

/** How each grain names the time of what it sums, and the type of a bound on it (pruning wants exactly that). */
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
  /** Where the period begins and the one before it ends. */
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
