import { FORMULA_START_RE2 } from '@bidwell/contract/lib/csv';
import { grainSql, type ReportAggregateName } from '../../../platform/clickhouse/aggregates.ts';
import { type ClickHouse, type QuerySettings, settingsText } from '../../../platform/clickhouse/client.ts';
import { IS_APP_EVENT } from '../../../platform/clickhouse/person-events.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import type { Period } from './plan.ts';

/** Columns of an exported event. */
const EVENT_COLUMNS = [
  'time',
  'kind',
  'bid_id',
  'app_id',
  'campaign_id',
  'adset_id',
  'creative_id',
  'creative_group_id',
  'creative_type',
  'creative_width',
  'creative_height',
  'creative_duration_ms',
  'exchange',
  'bundle',
  'os',
  'country',
  'language',
  'bid_cpm_micros',
  'spend_micros',
  'loss_reason',
  'test',
  'event_name',
  'revenue_micros',
  'revenue_amount',
  'revenue_currency',
  'event_at',
  'click_bid_id',
] as const;

/** {@link FORMULA_START_RE2} escaped for an SQL string literal. */
const FORMULA = FORMULA_START_RE2.replaceAll('\\', '\\\\');

/** Columns with text from outside. In CSV, values that a spreadsheet would run as a formula are escaped. */
const UNTRUSTED_COLUMNS = new Set<string>([
  'bundle',
  'country',
  'language',
  'event_name',
  'revenue_currency',
]);

/** SQL of a text from outside in a CSV file, in which values that a spreadsheet would run as a formula are escaped. */
export function csvTextSql(expression: string): string {
  return `replaceRegexpAll(${expression}, '${FORMULA}', '\\\\1\\'\\\\2')`;
}

/**
 * The bid with the margin that was charged on it. Events that charge nothing do not store the margin; the bid to the exchange
 * together with the charge would disclose it.
 */
export const CHARGED_BID = `if(events.spend_micros > events.margin_micros, toUInt64(round(events.bid_cpm_micros *
  (events.spend_micros / (events.spend_micros - events.margin_micros)))), toUInt64(0))`;

function columnOf(name: (typeof EVENT_COLUMNS)[number], format: 'csv' | 'parquet'): string {
  // An event in the app has its own id in that column.
  if (name === 'bid_id') return `if(${IS_APP_EVENT}, click_bid_id, bid_id) as bid_id`;
  // Fields of in-app events are empty in other events, and so is revenue that is not known in dollars.
  if (name === 'revenue_micros') return orEmpty(`${IS_APP_EVENT} and revenue_known = 1`, name);
  if (name === 'event_at' || name === 'click_bid_id') return orEmpty(IS_APP_EVENT, name);
  // A refund is negative: an amount stays a number in a spreadsheet.
  if (name === 'revenue_amount' && format === 'csv')
    return `if(match(${name}, '^-?[0-9.]+$'), ${name}, ${csvTextSql(name)}) as ${name}_text`;
  if (name === 'bid_cpm_micros') return `${CHARGED_BID} as bid_cpm_micros`;
  return format === 'csv' && UNTRUSTED_COLUMNS.has(name) ? `${csvTextSql(name)} as ${name}_text` : name;
}

function orEmpty(condition: string, name: string): string {
  return `if(${condition}, events.${name}, null) as ${name}`;
}

/**
 * Streams a company's events of a period in constant memory, oldest first, test traffic included. CSV has a header
 * line.
 */
export async function* streamEvents(
  clickhouse: ClickHouse,
  companyId: string,
  { fromMs, beforeMs }: Period,
  format: 'csv' | 'parquet',
  limits: QuerySettings,
): AsyncGenerator<Uint8Array> {
  const columns = EVENT_COLUMNS.map((name) => columnOf(name, format));
  const sql = `
    select ${columns.join(', ')} from events
    where company_id = {company:UUID} and time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
    order by company_id, time
    ${settingsText({ ...limits, ...(format === 'csv' && { format_csv_null_representation: "''" }) })}`;
  const params = { company: companyId, from: clickhouseTime(fromMs), before: clickhouseTime(beforeMs) };
  yield* streamFile(clickhouse, sql, params, { columns: EVENT_COLUMNS, format });
}

/** Streams a query's rows as a file; CSV gets a header line once the query has begun. Throws QueryTooLarge. */
export async function* streamFile(
  clickhouse: ClickHouse,
  sql: string,
  params: Record<string, unknown>,
  { columns, format }: { columns: readonly string[]; format: 'csv' | 'parquet' },
): AsyncGenerator<Uint8Array> {
  let head = format === 'csv' ? new TextEncoder().encode(`${columns.join(',')}\n`) : null;
  for await (const bytes of clickhouse.stream(sql, params, format === 'csv' ? 'CSV' : 'Parquet')) {
    if (head) yield head;
    head = null;
    yield bytes;
  }
  if (head) yield head;
}

/** The smallest aggregate by month. */
const MONTHS_AGGREGATE: ReportAggregateName = 'monthly_bundles';

/**
 * Days that contain all of a company's events in any time zone: from the day before its first month to the day after
 * its last. Null without events. Reads the monthly aggregate.
 */
export async function eventDateRange(
  clickhouse: ClickHouse,
  companyId: string,
): Promise<{ start: string; end: string } | null> {
  const [extent] = await clickhouse.query<{ months: number; start: string; end: string }>(
    `select count() as months, min(month) - 1 as start, addMonths(max(month), 1) as end
     from (
       select ${grainSql.month} as month from events
       where company_id = {company:UUID} and test = 0 group by month
       settings preferred_optimize_projection_name = '${MONTHS_AGGREGATE}'
     )`,
    { company: companyId },
  );
  return extent && extent.months > 0 ? { start: extent.start, end: extent.end } : null;
}
