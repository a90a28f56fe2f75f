import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import type { ReportKey } from '@bidwell/contract/reports/metrics';
import { grainSql } from '../../../platform/clickhouse/aggregates.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import type { EventRules } from '../../../delivery/public.ts';
import type { PersonField } from '../../../platform/clickhouse/person-events.ts';
import { appEventFigures, appEventSecondSql, appEventSegmentSql } from './app-event-segment.ts';
import {
  IS_RETURN,
  OF_RE_ENGAGEMENT,
  type ReEngagementSql,
  placementFigures,
  reEngagementFigures,
  returnFigures,
} from './re-engagement-segment.ts';
import { type Measure, dimensions, measures, measuresOf } from './dimensions.ts';
import { type Period, type PlannedSegment, planComparison } from './plan.ts';

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
  /** Only campaigns of this kind, of which the filter is made before the query runs. */
  campaignKind?: CampaignKind | undefined;
  /** Also counts wins, losses and invalid traffic. */
  extended?: boolean;
  /**
   * Counts only the wins of these exchanges; without it, the wins of all. The store sets it if a win rate is requested, see
   * {@link CountsQuery.rated}.
   */
  winsOf?: readonly string[] | undefined;
  /** Counts only the wins of exchanges that report losses too: for others the share of won bids is not known. */
  rated?: boolean;
  /** Also counts in-app events, and the events of each of these names separately. */
  eventNames?: readonly string[] | undefined;
  /** Also counts what these campaigns, of re-engagement, have of each row. Not empty. */
  reEngagement?: readonly string[] | undefined;
  /** How in-app events count; all as by default without it. */
  rules?: EventRules | undefined;
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

type Params = Record<string, unknown>;

/**
 * The SQL that counts events: counts each segment of the plan and merges them. `fromEvents` reads no aggregates; it is
 * slower and must give the same result.
 */
export function countsSql(
  companyId: string,
  query: CountsQuery,
  { fromEvents = false } = {},
): { sql: string; params: Params } {
  const { by, before, firstValues, counted } = query;
  const params: Params = { company: companyId };
  const names = measuresOf(query);
  const figureNames = figureNamesOf(query);
  const keys = by.map((_, index) => `k${index}`);
  const selects = by.map((key, index) => keySql(key, index, params));
  const filters = filterConditions(query, params);
  const plan = fromEvents
    ? unaggregatedPlan(query)
    : planComparison(query.period, before, bucketStartsOf(query), columnsOf(query));
  const others = figureNames.slice(names.length);
  const segments = plan.map((segment, index) =>
    segmentSql(
      segment,
      {
        name: String(index),
        by,
        names,
        others,
        filters,
        boundaryMs: query.period.fromMs,
        winsOf: query.winsOf,
      },
      params,
    ),
  );
  if (query.reEngagement)
    segments.push(...reEngagementSegments(query, { names, figureNames, filters, fromEvents }, params));
  if (query.eventNames) segments.push(...appEventSegments(query, { names, filters, fromEvents }, params));
  // One segment of one period already has one row per combination, unless buckets share a value.
  const isSummed = !before && segments.length === 1 && by.every(hasDistinctValues);
  const figures = figuresSql(figureNames, { isCompared: before !== undefined, isSummed });
  const conditions = [
    ...(firstValues ? ['k0 in {firstValues:Array(String)}'] : []),
    // Removes rows of events that no figure counts, such as those in apps where they were not requested.
    ...(isSummed && keys.length > 0 ? [anySql(figureNames.map((name) => `p_${name}`))] : []),
  ];
  const shownNames = [...figureNames, ...(before ? figureNames.map((name) => `${name}Before`) : [])];
  if (firstValues) params['firstValues'] = firstValues;
  return {
    params,
    sql: `
      select ${keys.length > 0 ? `[${keys.join(', ')}]` : 'emptyArrayString()'} as values,
        ${[...figures, ...(counted ? ['count() over () as rowsTotal'] : [])].join(', ')}
      from (select ${[...selects, 'part', ...figureNames.map((name) => `p_${name}`)].join(', ')}
        from (${segments.join('\n union all ')}))
      ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
      ${keys.length > 0 && !isSummed ? `group by ${keys.join(', ')} having ${anySql(shownNames)}` : ''}
      ${keys.length > 0 ? 'order by spendMicros desc, impressions desc, values' : ''}
      ${limitsSql(query, keys)}`,
  };
}

/** Buckets that start before 1970 or from 2106 on contain no events and do not fit ClickHouse's UInt32 timestamps. */
const STARTS_BEFORE_MS = 2 ** 32 * 1000;
const isBucketOfEvents = ({ startMs }: Bucket) => startMs >= 0 && startMs < STARTS_BEFORE_MS;

function keySql(key: ReportKey | readonly Bucket[], index: number, params: Params): string {
  if (typeof key === 'string') return `toString(d${index}) as k${index}`;
  const buckets = key.filter(isBucketOfEvents);
  params[`starts${index}`] = buckets.map(({ startMs }) => Math.floor(startMs / 1000));
  params[`labels${index}`] = buckets.map(({ value }) => value);
  return `transform(d${index}, {starts${index}:Array(UInt32)}, {labels${index}:Array(String)}, '') as k${index}`;
}

/** Whether any of the figures is not 0. */
const anySql = (names: readonly string[]) => `(${names.map((name) => `${name} != 0`).join(' or ')})`;

/** Figures of a row, in their order: the measures, then the figures of in-app events if they are counted. */
export function figureNamesOf(
  query: Pick<CountsQuery, 'extended' | 'eventNames' | 'reEngagement'>,
): readonly string[] {
  const { eventNames } = query;
  return [
    ...measuresOf(query),
    ...reEngagementFiguresOf(query),
    ...(eventNames ? appEventFigures(eventNames) : []),
  ];
}

export const reEngagementFiguresOf = ({
  reEngagement,
  eventNames = [],
}: Pick<CountsQuery, 'reEngagement' | 'eventNames'>): readonly string[] =>
  reEngagement ? reEngagementFigures(eventNames) : [];

/**
 * Segments of re-engagement campaigns: what they have of the row's own figures, from aggregates, and their returns, from the events. Their
 * other figures are 0.
 */
function reEngagementSegments(
  query: CountsQuery,
  {
    figureNames,
    fromEvents,
    ...context
  }: {
    names: readonly Measure[];
    figureNames: readonly string[];
    filters: readonly string[];
    fromEvents: boolean;
  },
  params: Params,
): string[] {
  const { period, before, by, reEngagement, eventNames = [], rules } = query;
  params['reEngagement'] = reEngagement;
  const columns = [...columnsOf({ ...query, winsOf: undefined }), 'campaign_id'];
  const sqlOf = (plan: PlannedSegment[], prefix: string, condition: string, figures: ReEngagementSql) =>
    plan.map((segment, index) =>
      segmentSql(
        segment,
        {
          ...context,
          name: `${prefix}${index}`,
          by,
          others: [],
          filters: [...context.filters, condition],
          boundaryMs: period.fromMs,
          winsOf: undefined,
          selects: figureNames.map((name) => `${figures[name] ?? '0'} as p_${name}`),
        },
        params,
      ),
    );
  const placements = fromEvents
    ? unaggregatedPlan(query)
    : planComparison(period, before, bucketStartsOf(query), columns);
  return [
    ...sqlOf(placements, 're', OF_RE_ENGAGEMENT, placementFigures),
    ...sqlOf(unaggregatedPlan(query), 'returns', IS_RETURN, returnFigures(rules, eventNames, params)),
  ];
}

function appEventSegments(
  query: CountsQuery,
  {
    names,
    filters,
    fromEvents,
  }: { names: readonly Measure[]; filters: readonly string[]; fromEvents: boolean },
  params: Params,
): string[] {
  const { period, before, by, eventNames = [], rules } = query;
  const keys = by.map((key, index) => {
    if (typeof key === 'string') return dimensions[key].sql;
    // Buckets with the same value are one row, in which a person counts once.
    const firsts = new Map(key.toReversed().map(({ startMs, value }) => [value, startMs]));
    params[`firsts${index}`] = key
      .filter(isBucketOfEvents)
      .map(({ value, startMs }) => Math.floor(Math.max(firsts.get(value) ?? startMs, 0) / 1000));
    const start = `roundDown(${appEventSecondSql}, {starts${index}:Array(UInt32)})`;
    return `transform(${start}, {starts${index}:Array(UInt32)}, {firsts${index}:Array(UInt32)}, toUInt32(0))`;
  });
  const columns = columnsOf({ ...query, winsOf: undefined }) as PersonField[];
  const others = [...names, ...reEngagementFiguresOf(query)];
  const segment = { others, keys, filters, columns, names: eventNames, rules, fromEvents };
  return [
    appEventSegmentSql({ ...segment, period, part: 'now' }, params),
    ...(before ? [appEventSegmentSql({ ...segment, period: before, part: 'before' }, params)] : []),
  ];
}

function figuresSql(
  names: readonly string[],
  { isCompared, isSummed }: { isCompared: boolean; isSummed: boolean },
): string[] {
  if (!isCompared)
    return names.map((name) => (isSummed ? `p_${name} as ${name}` : `sum(p_${name}) as ${name}`));
  return [
    ...names.map((name) => `sumIf(p_${name}, part = 0) as ${name}`),
    ...names.map((name) => `sumIf(p_${name}, part = 1) as ${name}Before`),
  ];
}

function limitsSql({ top, limit, offset }: CountsQuery, keys: readonly string[]): string {
  const whole = (count: number) => String(Math.trunc(count));
  return `${top === undefined ? '' : `limit ${whole(top)}${keys.length > 1 ? ` by ${keys.slice(0, -1).join(', ')}` : ''}`}
      ${limit === undefined || (top !== undefined && keys.length === 1) ? '' : `limit ${whole(limit)}`}
      ${offset === undefined ? '' : `offset ${whole(offset)}`}`;
}

function unaggregatedPlan({ period, before }: CountsQuery): PlannedSegment[] {
  const whole = { grain: 'event', aggregate: null } as const;
  return [
    { ...whole, ...period, part: 'now' },
    ...(before ? [{ ...whole, ...before, part: 'before' as const }] : []),
  ];
}

function hasDistinctValues(key: ReportKey | readonly Bucket[]): boolean {
  return typeof key === 'string' || new Set(key.map(({ value }) => value)).size === key.length;
}

function bucketStartsOf({ by }: CountsQuery): number[] {
  return by.flatMap((key) => (typeof key === 'string' ? [] : key.map(({ startMs }) => startMs)));
}

function columnsOf({ by, filters, winsOf }: CountsQuery): string[] {
  const keys = [
    ...by,
    ...(Object.keys(filters) as ReportKey[]),
    ...(isSplit({ winsOf }) ? ['exchange' as const] : []),
  ];
  return keys.flatMap((key) => (typeof key === 'string' ? dimensions[key].columns : []));
}

/** Whether a query counts by exchange first, to leave out the wins of some of them. */
const isSplit = ({ winsOf }: Pick<CountsQuery, 'winsOf'>): boolean =>
  winsOf !== undefined && winsOf.length > 0;

function filterConditions({ filters }: CountsQuery, params: Params): string[] {
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
    sql: grainSql.hour,
    type: "DateTime('UTC')",
    bound: (atMs: number) => clickhouseTime(atMs).slice(0, 19),
  },
  day: { sql: grainSql.day, type: 'Date', bound: (atMs: number) => clickhouseTime(atMs).slice(0, 10) },
  month: { sql: grainSql.month, type: 'Date', bound: (atMs: number) => clickhouseTime(atMs).slice(0, 10) },
} as const;

interface SegmentContext {
  name: string;
  /** Start of the period, and end of the one before it. */
  boundaryMs: number;
  by: CountsQuery['by'];
  names: readonly Measure[];
  /** Figures of other segments, 0 in this one. */
  others: readonly string[];
  filters: readonly string[];
  winsOf: CountsQuery['winsOf'];
  /** SQL of all figures, in place of the measures. */
  selects?: readonly string[];
}

function segmentSql(segment: PlannedSegment, context: SegmentContext, params: Params): string {
  const { grain, aggregate, part } = segment;
  const { boundaryMs, by, names, others, winsOf, selects } = context;
  const { sql: time } = times[grain];
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
  const counted = (figures: readonly string[], grouping: readonly string[]) => `
    select ${[...keys, `${parts[part]} as part`, ...figures].join(', ')}
    from events
    where ${segmentConditions(segment, context, params).join(' and ')}
    ${groupedBy(grouping)}
    settings ${aggregate ? `preferred_optimize_projection_name = '${aggregate}'` : 'optimize_use_projections = 0'}`;
  if (selects) return counted(selects, groups);
  const zeros = others.map((name) => `0 as p_${name}`);
  if (!isSplit(context)) {
    const sqlOf = (measure: Measure) => (winsOf && measure === 'wins' ? '0' : measures[measure]);
    return counted([...names.map((measure) => `${sqlOf(measure)} as p_${measure}`), ...zeros], groups);
  }
  // An aggregate stores sums of whole exchanges: exchanges whose wins count are chosen afterwards.
  params['winsOf'] = winsOf;
  const ofExchanges = counted(
    ['exchange as x', ...names.map((measure) => `${measures[measure]} as x_${measure}`)],
    [...groups, 'x'],
  );
  const sums = names.map((measure) =>
    measure === 'wins'
      ? 'sumIf(x_wins, x in {winsOf:Array(String)}) as p_wins'
      : `sum(x_${measure}) as p_${measure}`,
  );
  const partSql = part === 'both' ? 'part' : `${parts[part]} as part`;
  return `
    select ${[...by.map((_, index) => `d${index}`), partSql, ...sums, ...zeros].join(', ')}
    from (${ofExchanges})
    ${groupedBy(groups)}`;
}

const groupedBy = (groups: readonly string[]) => (groups.length > 0 ? `group by ${groups.join(', ')}` : '');

function segmentConditions(
  { grain, fromMs, beforeMs, hours }: PlannedSegment,
  { name, filters }: SegmentContext,
  params: Params,
): string[] {
  const { sql: time, type, bound } = times[grain];
  params[`from${name}`] = bound(fromMs);
  params[`before${name}`] = bound(beforeMs);
  if (hours) params[`hours${name}`] = hours.startsMs.map((startMs) => times.hour.bound(startMs));
  return [
    'company_id = {company:UUID}',
    'test = 0',
    `${time} >= {from${name}:${type}}`,
    `${time} < {before${name}:${type}}`,
    ...(hours
      ? [
          `${times.hour.sql} ${hours.which === 'only' ? '' : 'not '}in {hours${name}:Array(${times.hour.type})}`,
        ]
      : []),
    ...filters,
  ];
}
