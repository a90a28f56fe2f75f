import type { AppEventCounts, Counts, ReEngagementCounts } from '@bidwell/contract/reports/metrics';
import { type ClickHouse, type QuerySettings, settingsText } from '../../../platform/clickhouse/client.ts';
import { APP_EVENT_FIGURES } from './app-event-segment.ts';
import { measuresOf } from './dimensions.ts';
import { RE_ENGAGEMENT_FIGURES } from './re-engagement-segment.ts';
import { isEmptyPeriod } from './plan.ts';
import { type CountsQuery, countsSql, figureNamesOf, reEngagementFiguresOf } from './query-model.ts';

export interface CountsRow extends Counts {
  /** In the order of the query's `by`. */
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
type ResponseRow = [values: string[], ...figures: number[]];

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
  if (isEmptyPeriod(query.period) && (!query.before || isEmptyPeriod(query.before))) return [];
  const { sql, params } = countsSql(companyId, await withRatedWins(clickhouse, companyId, query, settings));
  const rows = await clickhouse.query<ResponseRow>(sql, params, 'JSONCompact', settings);
  return rows.map((row) => countsRowOf(row, query));
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
  if (isEmptyPeriod(query.period)) return;
  const { sql, params } = countsSql(companyId, await withRatedWins(clickhouse, companyId, query, limits));
  const settings = settingsText({
    output_format_json_quote_64bit_integers: 0,
    max_block_size: 8192,
    ...limits,
  });
  const blocks = clickhouse.stream(`${sql} ${settings}`, params, 'JSONCompactEachRow');
  for await (const lines of linesOf(blocks))
    yield lines.map((line) => countsRowOf(JSON.parse(line) as ResponseRow, query));
}

/**
 * A `rated` query with the exchanges whose wins it counts. An exchange reports losses if it reported one to the company in the
 * periods of the query: so the choice does not depend on a report's groups and filters.
 */
async function withRatedWins(
  clickhouse: ClickHouse,
  companyId: string,
  query: CountsQuery,
  settings: QuerySettings,
): Promise<CountsQuery> {
  const { rated, period, before = period } = query;
  if (!rated) return query;
  const span = {
    fromMs: Math.min(period.fromMs, before.fromMs),
    beforeMs: Math.max(period.beforeMs, before.beforeMs),
  };
  const exchanges = await countEvents(
    clickhouse,
    companyId,
    { period: span, by: ['exchange'], filters: {}, extended: true },
    settings,
  );
  const reporting = exchanges.filter(({ losses }) => losses);
  if (exchanges.every(({ wins, losses }) => !wins || losses)) return query;
  return { ...query, winsOf: reporting.map(({ values }) => values[0]!) };
}

const SLICE_CHARACTERS = 128 * 1024;

/** The lines of a response in batches of up to 128 Ki characters; the last batch may be empty. */
async function* linesOf(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let open = '';
  const split = (text: string) => text.split('\n').filter((line) => line !== '');
  for await (const bytes of blocks) {
    open += decoder.decode(bytes, { stream: true });
    // A block may be many megabytes of text: yield to the event loop between its parts.
    for (let at = 0; ;) {
      const end = open.lastIndexOf('\n', at + SLICE_CHARACTERS);
      if (end < at) {
        open = open.slice(at);
        break;
      }
      yield split(open.slice(at, end));
      at = end + 1;
      await new Promise((next) => setImmediate(next));
    }
  }
  yield split(open);
}

/**
 * All rows have the same properties in the same order and are built without spread, which keeps thousands of rows
 * fast.
 */
function countsRowOf(row: ResponseRow, query: CountsQuery): CountsRow {
  const { before, counted } = query;
  return Object.assign(countsAt(row, 1, query), {
    before: before && countsAt(row, 1 + figureNamesOf(query).length, query),
    values: row[0],
    rowsTotal: counted ? (row.at(-1) as number) : undefined,
  });
}

function countsAt(row: ResponseRow, at: number, query: CountsQuery): Counts {
  const { extended, eventNames, reEngagement } = query;
  const reAt = at + measuresOf(query).length;
  const appAt = reAt + reEngagementFiguresOf(query).length;
  return {
    clicks: row[at] as number,
    installs: row[at + 1] as number,
    impressions: row[at + 2] as number,
    spendMicros: row[at + 3] as number,
    wins: extended ? (row[at + 4] as number) : undefined,
    losses: extended ? (row[at + 5] as number) : undefined,
    invalidClicks: extended ? (row[at + 6] as number) : undefined,
    invalidInstalls: extended ? (row[at + 7] as number) : undefined,
    appEvents: eventNames && appEventsAt(row, appAt, eventNames),
    reEngagement: reEngagement && reEngagementAt(row, reAt, eventNames ?? []),
  };
}

function reEngagementAt(row: ResponseRow, at: number, eventNames: readonly string[]): ReEngagementCounts {
  const figures = RE_ENGAGEMENT_FIGURES.map(([, count], index) => [count, row[at + index]]);
  const namedAt = at + RE_ENGAGEMENT_FIGURES.length;
  const named = eventNames.map((_, index) => row[namedAt + index] as number);
  return { ...Object.fromEntries(figures), named } as unknown as ReEngagementCounts;
}

function appEventsAt(row: ResponseRow, at: number, eventNames: readonly string[]): AppEventCounts {
  const figure = (index: number) => row[at + index] as number;
  const named = APP_EVENT_FIGURES.length;
  return {
    events: figure(0),
    payers: figure(1),
    revenueMicros: figure(2),
    knownRevenues: figure(3),
    unknownRevenues: figure(4),
    named: eventNames.map((_, index) => ({
      count: figure(named + 2 * index),
      people: figure(named + 2 * index + 1),
    })),
  };
}
