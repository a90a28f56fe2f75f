import type { BidOutcome } from '@bidwell/contract/bid-log/schema';
import type { Micros } from '@bidwell/contract/lib/money';
import type { ClickHouse, QuerySettings } from '../../../platform/clickhouse/client.ts';
import {
  PERSON_EVENTS_HOUR,
  type PersonField,
  personEventsSql,
  personFlags,
  rejectedPeopleSql,
} from '../../../platform/clickhouse/person-events.ts';
import { eventRulesSql } from '../../reporting/public.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import {
  BID_NUMBER,
  type BidSelection,
  OF_BIDS,
  ROW_BID_MS,
  bidNumber,
  bidsOf,
  boundsOf,
  paramsOf,
  whereOf,
} from './sql.ts';

/** A bid with its events of a period. Times are Unix ms. */
export interface BidRow {
  bid_id: string;
  bidMs: number;
  eventMs: number;
  campaign_uuid: string;
  adset_uuid: string;
  creative_uuid: string;
  creative_type: string;
  width: number;
  height: number;
  exchange: string;
  bundle: string;
  country: string;
  os: string;
  outcome: BidOutcome;
  bidCpmMicros: Micros;
  chargeMicros: Micros;
  lossCode: number | null;
  minToWinMicros: Micros | null;
  impressionMs: number | null;
  clicks: number;
  installs: number;
  invalid: string;
  test: 0 | 1;
  weight: number;
}

/** Most events of one bid: one of each kind, and its place in the sample. */
const BID_EVENTS_MAX = 20;

/**
 * Ids of the newest selected bids, at most `limit`, newest first. Some of them may have another outcome than the
 * requested one. Takes memory for these bids alone, however many others there are.
 */
export async function newestBids(
  clickhouse: ClickHouse,
  selection: BidSelection,
  limit: number,
  settings: QuerySettings,
): Promise<readonly string[]> {
  const where = whereOf(selection);
  const events = (condition: string) =>
    `select bid_id from events where ${where} and ${OF_BIDS} ${condition}`;
  const sample = `select bid_id from bid_sample where ${where}`;
  // The bids of the sample are few: with them the set of those that have events stays small.
  const unnoticed = `${sample} and bid_id global not in (${events(`and bid_id global in (${sample})`)})`;
  const sources = {
    won: events("and kind != 'loss'"),
    lost: events("and kind = 'loss'"),
    no_notice: unnoticed,
    any: `${events('')} union all ${sample}`,
  }[selection.outcome ?? 'any'];
  const rows = await clickhouse.query<{ id: string }>(
    `select distinct toString(bid_id) as id, ${BID_NUMBER} as number
     from (select bid_id from (${sources}) order by ${BID_NUMBER} desc limit {rows:UInt32})
     order by number desc limit {limit:UInt32}`,
    { ...paramsOf(selection), rows: limit * BID_EVENTS_MAX, limit },
    'JSON',
    settings,
  );
  return rows.map(({ id }) => id);
}

/** The selected bids with these ids, newest first. */
export async function bidsById(
  clickhouse: ClickHouse,
  selection: BidSelection,
  ids: readonly string[],
  settings: QuerySettings,
): Promise<readonly BidRow[]> {
  if (ids.length === 0) return [];
  const ms = (time: string) => `toUnixTimestamp64Milli(${time})`;
  const bounded = { ...selection, ...boundsOf(selection, bidNumber(ids.at(-1)!)), ids };
  return clickhouse.query<BidRow>(
    `select toString(bids.bid_id) as bid_id, ${ROW_BID_MS} as bidMs, ${ms('event_time')} as eventMs,
       toString(campaign) as campaign_uuid, toString(adset) as adset_uuid, toString(creative) as creative_uuid,
       type as creative_type, width, height, ssp as exchange, bundle_id as bundle, country_code as country, system as os,
       outcome, cpm_micros as bidCpmMicros, charge_micros as chargeMicros, code as lossCode, min_to_win_micros as minToWinMicros,
       ${ms('impression_time')} as impressionMs, clicks, installs, invalid, is_test as test, stands_for as weight
     from (${bidsOf(bounded)}) as bids order by number desc`,
    paramsOf(bounded),
    'JSON',
    settings,
  );
}

/** In-app events of one name after a bid. */
export interface AppEventsOfBid {
  bidId: string;
  name: string;
  count: number;
  revenueMicros: Micros;
  /** How many of them have a revenue that counts and is known in dollars. */
  knownRevenues: number;
}

/** Most names of in-app events of one bid. */
const APP_EVENT_NAMES_MAX = 20;

/** In-app events in a period after bids with these ids, by name; the latest names first. Reads their projection. */
export async function appEventsOfBids(
  clickhouse: ClickHouse,
  { companyId, fromMs, beforeMs, rules }: Pick<BidSelection, 'companyId' | 'fromMs' | 'beforeMs' | 'rules'>,
  ids: readonly string[],
  settings: QuerySettings,
): Promise<readonly AppEventsOfBid[]> {
  if (ids.length === 0) return [];
  const { appEvent, takenBack, invalid, adRevenue, knownRevenue } = personFlags;
  const rule = eventRulesSql(rules);
  const isRevenue = rule.isRevenue(`(bitAnd(flags, ${adRevenue}) > 0)`);
  const events = personEventsSql({
    fields: [
      ...new Set<PersonField>(['person', 'event_name', 'atMs', 'flags', 'revenue_micros', ...rule.columns]),
    ],
    where: [
      'company_id = {company:UUID}',
      `${PERSON_EVENTS_HOUR} >= toStartOfHour({from:DateTime('UTC')})`,
      `${PERSON_EVENTS_HOUR} <= {before:DateTime('UTC')}`,
    ],
  });
  const sign = `if(bitAnd(flags, ${takenBack}) = 0, 1, -1)`;
  const byNumber = new Map(ids.map((id) => [String(bidNumber(id)), id]));
  const params: Record<string, unknown> = {
    ...rule.params,
    company: companyId,
    from: clickhouseTime(fromMs).slice(0, 19),
    before: clickhouseTime(beforeMs).slice(0, 19),
    fromMs,
    beforeMs,
    ids,
  };
  const rejected = rejectedPeopleSql({ fromMs, beforeMs, withTest: true }, params);
  const rows = await clickhouse.query<AppEventsOfBid>(
    `select toString(person) as bidId, event_name as name, sum(${sign}) as count, sumIf(${sign} * revenue_micros, ${isRevenue}) as revenueMicros,
       sumIf(${sign}, bitAnd(flags, ${knownRevenue}) > 0 and ${isRevenue}) as knownRevenues
     from (${events})
     where has(arrayMap(id -> toUInt128(id), {ids:Array(UUID)}), person) and bitAnd(flags, ${appEvent + invalid}) = ${appEvent}
       and atMs >= {fromMs:Int64} and atMs < {beforeMs:Int64} and person global not in (${rejected})
     group by person, event_name having count > 0
     order by person, max(atMs) desc, name limit ${APP_EVENT_NAMES_MAX} by person`,
    params,
    'JSON',
    settings,
  );
  return rows.map((row) => ({ ...row, bidId: byNumber.get(row.bidId)! }));
}
