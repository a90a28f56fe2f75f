import type { BidOutcome } from '@bidwell/contract/bid-log/schema';
import { IS_APP_EVENT, rejectedPeopleSql } from '../../../platform/clickhouse/person-events.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import type { EventRules } from '../../../platform/postgres/stores/event-rules-store.ts';
import { CHARGED_BID, eventRulesSql } from '../../reporting/public.ts';
import { RANDOM_BITS } from '../../../platform/clickhouse/bid-ids.ts';

/** Which bids are read: bids with events, or a place in the sample, in a period. */
export interface BidSelection {
  companyId: string;
  fromMs: number;
  beforeMs: number;
  /** Only bids with ids, as numbers, between these, both exclusive. */
  afterId: bigint;
  beforeId: bigint;
  /** Only these bids. */
  ids?: readonly string[] | undefined;
  outcome?: BidOutcome | undefined;
  campaign?: string | undefined;
  adset?: string | undefined;
  creative?: string | undefined;
  exchange?: string | undefined;
  country?: string | undefined;
  bundle?: string | undefined;
  /** What counts as revenue of the company's apps. */
  rules: EventRules;
}

/** The most that the clock of a tracker may be behind that of a bidder, ms. */
const CLOCKS_MS = 60_000;

/** A bid's id as a number, of a row of events or of the sample. */
export const BID_NUMBER = 'toUInt128(bid_id)';
/** When a bid was made, Unix ms, of a row of events or of the sample. */
export const BID_MS = `toInt64(bitShiftRight(${BID_NUMBER}, ${RANDOM_BITS}))`;
/** The same of a row of {@link bidsOf}. */
export const ROW_BID_MS = `toInt64(bitShiftRight(number, ${RANDOM_BITS}))`;

const FILTERS = {
  ids: 'has({ids:Array(UUID)}, bid_id)',
  campaign: 'campaign_id = {campaign:UUID}',
  adset: 'adset_id = {adset:UUID}',
  creative: 'creative_id = {creative:UUID}',
  exchange: 'exchange = {exchange:String}',
  country: 'country = {country:String}',
  bundle: 'bundle = {bundle:String}',
} as const;
const FILTER_NAMES = Object.keys(FILTERS) as (keyof typeof FILTERS)[];

/** Columns that an event and a sampled bid share. */
const SHARED = `bid_id, time, campaign_id, adset_id, creative_id, toString(creative_type) as creative_type, creative_width,
  creative_height, toString(exchange) as exchange, bundle, toString(os) as os, toString(country) as country`;

/** When the bid of an id was made, Unix ms. */
export function bidMsOf(id: bigint): number {
  return Number(id >> RANDOM_BITS);
}

/** A bid's id as a number, in whose order bids are listed. */
export function bidNumber(id: string): bigint {
  return BigInt(`0x${id.replaceAll('-', '')}`);
}

/** Without events in the app, each of which has an id of its own in place of the bid's. */
export const OF_BIDS = `not (${IS_APP_EVENT})`;

/**
 * The rows of events in the app that followed the selected bids, in whose column `click_bid_id` the bid is, without those after an
 * install that the partner rejected.
 */
export const appEventsWhere = (selection: BidSelection): string =>
  `${whereOf(selection, 'click_bid_id')} and ${IS_APP_EVENT}
    and toUInt128(click_bid_id) global not in (${rejectedPeopleSql({ ...selection, withTest: true }, {})})`;

/** The condition of the rows of events and of the sample that belong to the selected bids, whose id is in the column `id`. */
export function whereOf(selection: BidSelection, id: 'bid_id' | 'click_bid_id' = 'bid_id'): string {
  const filters = FILTER_NAMES.filter((name) => selection[name] !== undefined).map((name) => FILTERS[name]);
  return [
    'company_id = {company:UUID}',
    "time >= {from:DateTime64(3, 'UTC')}",
    "time < {before:DateTime64(3, 'UTC')}",
    `toUInt128(${id}) > {afterId:UInt128}`,
    `toUInt128(${id}) < {beforeId:UInt128}`,
    ...filters,
  ].join(' and ');
}

/** The parameters of {@link whereOf}. */
export function paramsOf(selection: BidSelection): Record<string, unknown> {
  const filters = FILTER_NAMES.filter((name) => selection[name] !== undefined).map((name) => [
    name,
    selection[name],
  ]);
  const params = {
    company: selection.companyId,
    from: clickhouseTime(selection.fromMs),
    before: clickhouseTime(selection.beforeMs),
    afterId: String(selection.afterId),
    beforeId: String(selection.beforeId),
    ...(Object.fromEntries(filters) as object),
    ...eventRulesSql(selection.rules).params,
  };
  rejectedPeopleSql({ ...selection, withTest: true }, params);
  return params;
}

/** Columns of an event in the app, and what the rows of bids have in their place. */
const appEventSql = ({
  rules,
}: BidSelection) => `events.bid_id as app_event_id, event_at, toString(event_name) as event_name,
  revenue_micros, revenue_known, toUInt8(${eventRulesSql(rules).isRevenue('is_ad_revenue')}) as is_revenue, revenue_amount,
  toString(revenue_currency) as revenue_currency`;
const NO_APP_EVENT = `toUUID('00000000-0000-0000-0000-000000000000') as app_event_id, toDateTime64(0, 3, 'UTC') as event_at,
  '' as event_name, toInt64(0) as revenue_micros, toUInt8(0) as revenue_known, toUInt8(0) as is_revenue, '' as revenue_amount, '' as revenue_currency`;

/** SQL of all events and sampled bids of the selection. */
function sourcesOf(selection: BidSelection, hasAppEvents: boolean): string {
  const where = whereOf(selection);
  const none = hasAppEvents ? `, ${NO_APP_EVENT}` : '';
  const sources = [
    `select ${SHARED}, toString(kind) as kind, spend_micros as spend, if(kind = 'loss', loss_reason, 0) as loss,
      min_to_win_cpm_micros as min_to_win,
      if(charged_cpm_micros > 0, charged_cpm_micros, toInt64(${CHARGED_BID})) as cpm, toString(mark) as mark, test,
      toUInt32(1) as weight ${none}
    from events where ${where} and ${OF_BIDS}`,
    `select ${SHARED}, 'bid' as kind, toInt64(0) as spend, toUInt16(0) as loss, toInt64(0) as min_to_win, charged_cpm_micros as cpm, '' as mark,
      toUInt8(0) as test, weight ${none}
    from bid_sample where ${where}`,
    ...(hasAppEvents
      ? [
          `select click_bid_id as ${SHARED}, toString(kind) as kind, toInt64(0) as spend, toUInt16(0) as loss, toInt64(0) as min_to_win,
      toInt64(0) as cpm, toString(mark) as mark, test, toUInt32(1) as weight, ${appEventSql(selection)}
    from events where ${appEventsWhere(selection)}`,
        ]
      : []),
  ];
  return sources.join(' union all ');
}

/** Most in-app events of a bid that are listed. */
const LISTED_APP_EVENTS_MAX = 50;
/** Most in-app events of a bid from which the list is made, before those that were taken back are left out. */
const READ_APP_EVENTS_MAX = 1000;

/** By what an event in the app adds to the counts of its bid; 0 for other events and invalid traffic. */
const APP_EVENT_SIGN = "multiIf(mark != '', 0, kind = 'app_event', 1, kind = 'app_event_rejected', -1, 0)";
/** What a bid has of in-app events: their number, their revenue, how many revenues are known, and the first of them as tuples. */
const APP_EVENT_FIGURES = `sum(${APP_EVENT_SIGN}) as app_event_count,
      sum(${APP_EVENT_SIGN} * is_revenue * revenue_micros) as revenue,
      sum(${APP_EVENT_SIGN} * is_revenue * revenue_known) as known_revenues,
      groupArrayIf(${READ_APP_EVENTS_MAX})(app_event_id, kind = 'app_event_rejected') as taken_back,
      groupArrayIf(${READ_APP_EVENTS_MAX})(
        (event_at, app_event_id, event_name, if(revenue_known = 1, revenue_micros, null), revenue_amount, revenue_currency),
        kind = 'app_event' and mark = '') as read_app_events,
      arraySlice(arraySort(arrayFilter(event -> not has(taken_back, event.2), read_app_events)), 1, ${LISTED_APP_EVENTS_MAX})
        as listed_app_events`;

/**
 * SQL of a row for each bid. Money of test bids is left out, as in the reports. `hasAppEvents` adds what followed in the app, also
 * of bids that have nothing else in the period.
 */
export function bidsOf(selection: BidSelection, { hasAppEvents = false } = {}): string {
  return `
    select bid_id, ${BID_NUMBER} as number, any(campaign_id) as campaign, any(adset_id) as adset, any(creative_id) as creative,
      any(creative_type) as type, any(creative_width) as width, any(creative_height) as height, any(exchange) as ssp,
      any(bundle) as bundle_id, any(country) as country_code, any(os) as system, min(time) as event_time,
      multiIf(countIf(kind not in ('bid', 'loss')) > 0, 'won', countIf(kind = 'loss') > 0, 'lost', 'no_notice') as outcome,
      max(cpm) as cpm_micros, sumIf(spend, test = 0) as charge_micros,
      if(countIf(kind = 'loss') > 0, max(loss), null) as code,
      nullIf(max(min_to_win), 0) as min_to_win_micros,
      if(countIf(kind = 'impression') > 0, minIf(time, kind = 'impression'), null) as impression_time,
      toInt32(countIf(kind = 'click' and mark = '')) as clicks,
      toInt32(countIf(kind = 'install' and mark = '')) - toInt32(countIf(kind = 'install_rejected' and mark = '')) as installs,
      max(mark) as invalid, max(test) as is_test, if(countIf(kind != 'bid') > 0, 1, max(weight)) as stands_for
      ${hasAppEvents ? `, ${APP_EVENT_FIGURES}` : ''}
    from (${sourcesOf(selection, hasAppEvents)})
    group by bid_id
    ${selection.outcome ? `having outcome = '${selection.outcome}'` : ''}`;
}

/** Bounds of the selected bids from the oldest one on: a bid has no events before it was made. */
export function boundsOf({ fromMs }: BidSelection, oldest: bigint): Pick<BidSelection, 'fromMs' | 'afterId'> {
  return { fromMs: Math.max(fromMs, bidMsOf(oldest) - CLOCKS_MS), afterId: oldest - 1n };
}
