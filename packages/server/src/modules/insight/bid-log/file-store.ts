import {
  LOSS_REASONS,
  OWN_LOSS_CODES,
  UNKNOWN_LOSS_CODES,
  lossReason,
} from '@bidwell/contract/bid-log/loss-reasons';
import { type ClickHouse, type QuerySettings, settingsText } from '../../../platform/clickhouse/client.ts';
import {
  BID_MS,
  type BidSelection,
  OF_BIDS,
  ROW_BID_MS,
  appEventsWhere,
  bidsOf,
  paramsOf,
  whereOf,
} from './sql.ts';
import { csvTextSql, streamFile } from '../../reporting/public.ts';
import { firstIdAt } from '../../../platform/clickhouse/bid-ids.ts';

/** Ids and slugs, and the name of each by kind. */
export type BidNames = Readonly<Record<NamedKind, ReadonlyMap<string, string>>>;
export type NamedKind = (typeof NAMED_KINDS)[number];
export const NAMED_KINDS = ['campaign', 'adset', 'creative', 'exchange'] as const;

/** Most events of the bids of a file, so about half as many bids. */
export const FILE_EVENTS_MAX = 1_000_000;
/** Names of each kind in a file, at most; others are empty. */
const FILE_NAMES_MAX = 2000;
const MINUTE_MS = 60_000;

/**
 * Where a file of the selected bids, oldest first, must end to have at most a million events: the smallest id that
 * is not in it. Null if all are. Whole minutes of bids, and at least one.
 */
export async function endOfFile(
  clickhouse: ClickHouse,
  selection: BidSelection,
  eventsMax: number,
  settings: QuerySettings,
): Promise<bigint | null> {
  const where = whereOf(selection);
  const [row] = await clickhouse.query<{ ends: 0 | 1; end: number }>(
    `select countIf(running > {eventsMax:UInt64} and number > 1) > 0 as ends,
       minIf(minute, running > {eventsMax:UInt64} and number > 1) as end
     from (
       select minute, sum(events) over (order by minute) as running, row_number() over (order by minute) as number
       from (
         select intDiv(${BID_MS}, ${MINUTE_MS}) as minute, count() as events
         from (
           select bid_id from events where ${where} and ${OF_BIDS} union all select bid_id from bid_sample where ${where}
           union all select click_bid_id as bid_id from events where ${appEventsWhere(selection)}
         )
         group by minute
       )
     )`,
    { ...paramsOf(selection), eventsMax },
    'JSON',
    settings,
  );
  return row?.ends ? firstIdAt(row.end * MINUTE_MS) : null;
}

/** Ids and slugs of the entities that the selected bids belong to, at most 2,000 of each kind. */
export async function namedInBids(
  clickhouse: ClickHouse,
  selection: BidSelection,
  settings: QuerySettings,
): Promise<Record<NamedKind, readonly string[]>> {
  const where = whereOf(selection);
  const columns = 'campaign_id, adset_id, creative_id, exchange';
  const few = `groupUniqArray(${FILE_NAMES_MAX})`;
  const [row] = await clickhouse.query<Record<NamedKind, string[]>>(
    `select ${few}(toString(campaign_id)) as campaign, ${few}(toString(adset_id)) as adset,
       ${few}(toString(creative_id)) as creative, ${few}(toString(exchange)) as exchange
     from (
       select ${columns} from events where ${where} and ${OF_BIDS} union all select ${columns} from bid_sample where ${where}
       union all select ${columns} from events where ${appEventsWhere(selection)}
     )`,
    paramsOf(selection),
    'JSON',
    settings,
  );
  return row ?? { campaign: [], adset: [], creative: [], exchange: [] };
}

const dollars = (micros: string) => `toDecimal64(${micros}, 6) / 1000000`;
const nameOf = (kind: NamedKind, id: string) =>
  `transform(toString(${id}), {${kind}_ids:Array(String)}, {${kind}_names:Array(String)}, '')`;

/** The listed in-app events as JSON: an array of objects. */
const APP_EVENT_LIST = `toJSONString(arrayMap(event -> cast(
  (event.3, formatDateTime(event.1, '%Y-%m-%dT%H:%i:%SZ', 'UTC'), event.4 / 1000000, event.5, event.6),
  'Tuple(name String, time String, revenue Nullable(Float64), amount String, currency String)'), listed_app_events))`;

/** Columns of a file in their order, with the SQL of each. Texts from outside are marked. */
const FILE_COLUMNS: readonly (readonly [name: string, sql: string, isUntrusted?: true])[] = [
  ['bid_id', 'toString(bid_id)'],
  ['bid_at', `fromUnixTimestamp64Milli(${ROW_BID_MS}, 'UTC')`],
  ['event_at', 'event_time'],
  ['campaign_uuid', 'toString(campaign)'],
  ['campaign', nameOf('campaign', 'campaign'), true],
  ['adset_uuid', 'toString(adset)'],
  ['adset', nameOf('adset', 'adset'), true],
  ['creative_uuid', 'toString(creative)'],
  ['creative', nameOf('creative', 'creative'), true],
  ['creative_type', 'type'],
  ['width', 'width'],
  ['height', 'height'],
  ['exchange', 'ssp'],
  ['exchange_name', nameOf('exchange', 'ssp'), true],
  ['bundle', 'bundle_id', true],
  ['country', 'country_code', true],
  ['os', 'system'],
  ['outcome', 'outcome'],
  ['bid_cpm', `if(cpm_micros > 0, ${dollars('cpm_micros')}, null)`],
  ['charge', dollars('charge_micros')],
  ['loss_code', 'code'],
  [
    'loss_reason',
    `if(code is null, null, transform(assumeNotNull(code), [${Object.keys(LOSS_REASONS).join(', ')}],
       {loss_reasons:Array(String)}, if(code >= ${OWN_LOSS_CODES}, '${lossReason(OWN_LOSS_CODES)}',
         '${lossReason(UNKNOWN_LOSS_CODES)}')))`,
  ],
  ['min_to_win_cpm', `if(min_to_win_micros is null, null, ${dollars('assumeNotNull(min_to_win_micros)')})`],
  ['impression_at', 'impression_time'],
  ['clicks', 'clicks'],
  ['installs', 'installs'],
  ['app_events', 'app_event_count'],
  ['revenue', `if(known_revenues > 0, ${dollars('revenue')}, null)`],
  ['app_event_list', `if(app_event_count = 0, null, ${APP_EVENT_LIST})`, true],
  ['invalid', 'invalid'],
  ['test', 'is_test'],
  ['weight', 'stands_for'],
];

/**
 * Streams the selected bids, oldest first. CSV has a header line. Times are of UTC, money is in dollars with six decimals.
 * Throws QueryTooLarge.
 */
export async function* streamBids(
  clickhouse: ClickHouse,
  selection: BidSelection,
  { names, format }: { names: BidNames; format: 'csv' | 'parquet' },
  settings: QuerySettings,
): AsyncGenerator<Uint8Array> {
  const columns = FILE_COLUMNS.map(
    ([name, sql, isUntrusted]) =>
      `${format === 'csv' && isUntrusted ? csvTextSql(sql) : sql} as file_${name}`,
  );
  const titles = FILE_COLUMNS.map(([name]) => `file_${name} as ${name}`);
  const sql = `
    select ${titles.join(', ')} from (select ${columns.join(', ')}, number from (${bidsOf(selection, { hasAppEvents: true })}) as bids) as texts
    order by number ${settingsText({ ...settings, ...(format === 'csv' && { format_csv_null_representation: "''" }) })}`;
  const params = { ...paramsOf(selection), ...namesParams(names), loss_reasons: Object.values(LOSS_REASONS) };
  yield* streamFile(clickhouse, sql, params, { columns: FILE_COLUMNS.map(([name]) => name), format });
}

/** Characters of names in the parameters of a query, percent-encoded: they are part of the request's address. */
const NAME_CHARS_MAX = 400_000;

/** The names as parameters, as far as there is room. */
function namesParams(names: BidNames): Record<string, readonly string[]> {
  let room = NAME_CHARS_MAX;
  return Object.fromEntries(
    NAMED_KINDS.flatMap((kind) => {
      const fitting = [...names[kind]].filter(([id, name]) => {
        room -= encodeURIComponent(`'${id}','${name}',`).length;
        return room >= 0;
      });
      return [
        [`${kind}_ids`, fitting.map(([id]) => id)],
        [`${kind}_names`, fitting.map(([, name]) => name)],
      ];
    }),
  ) as Record<string, readonly string[]>;
}
