import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import type { Period } from '../reports/query/plan.ts';

/** Events in the app of one name, of an ad set between two changes of its tracking link. */
export interface InAppOfPart {
  adsetId: string;
  appId: string;
  /** A bid of theirs, Unix ms. */
  bidAtMs: number;
  name: string;
  count: number;
  people: number;
  /** Sum of what is known. */
  revenueMicros: number;
  /** Events with an amount, and those whose amount in dollars is not known. */
  priced: number;
  unknown: number;
}

/** Which events in the app are read. */
export interface InAppFilter {
  /** Undefined for all campaigns. */
  campaignId?: string | undefined;
  /** Undefined for all ad sets. */
  adsetIds?: readonly string[] | undefined;
}

const NIL = '00000000-0000-0000-0000-000000000000';
/** Unix ms of the bid that an event in the app is attributed to. */
const CLICK_BID_MS = 'toInt64(bitShiftRight(toUInt128(click_bid_id), 80))';

const OF_PERIOD = `company_id = {company:UUID} and time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}`;

/**
 * Condition on a company's events in the app in a period, without test and invalid traffic and those that the partner rejected
 * afterwards. A rejection is dated as its event.
 */
const MATCHES = `${OF_PERIOD} and test = 0 and kind = 'app_event' and mark = ''
  and bid_id not in (select bid_id from events where ${OF_PERIOD} and kind = 'app_event_rejected')
  and ({campaign:UUID} = {nil:UUID} or campaign_id = {campaign:UUID})
  and ({all:UInt8} or adset_id in {adsets:Array(UUID)})`;

function paramsOf(
  companyId: string,
  { fromMs, beforeMs }: Period,
  { campaignId = NIL, adsetIds }: InAppFilter,
) {
  return {
    company: companyId,
    campaign: campaignId,
    nil: NIL,
    all: adsetIds ? 0 : 1,
    adsets: adsetIds ?? [],
    from: clickhouseTime(fromMs),
    before: clickhouseTime(beforeMs),
  };
}

/** The ad sets with the most events in the app. */
export async function adsetsWithInApp(
  clickhouse: ClickHouse,
  companyId: string,
  period: Period,
  filter: InAppFilter,
  { rows, settings }: { rows: number; settings: QuerySettings },
): Promise<readonly string[]> {
  const found = await clickhouse.query<{ adsetId: string }>(
    `select adset_id as adsetId from events where ${MATCHES}
     group by adset_id order by count() desc, adset_id limit {rows:UInt32}`,
    { ...paramsOf(companyId, period, filter), rows },
    'JSON',
    settings,
  );
  return found.map(({ adsetId }) => adsetId);
}

/** Events in the app by name and ad set, apart by the times at which its tracking link changed; the most frequent first. */
export async function inAppBetween(
  clickhouse: ClickHouse,
  companyId: string,
  period: Period,
  { changes, ...filter }: InAppFilter & { changes: readonly { adsetId: string; atMs: number }[] },
  { rows, settings }: { rows: number; settings: QuerySettings },
): Promise<readonly InAppOfPart[]> {
  return clickhouse.query<InAppOfPart>(
    `select adset_id as adsetId, toString(any(app_id)) as appId, min(${CLICK_BID_MS}) as bidAtMs, toString(event_name) as name, count() as count,
       uniqExact(click_bid_id) as people, sum(revenue_micros) as revenueMicros, countIf(revenue_amount != '') as priced,
       countIf(revenue_amount != '' and revenue_known = 0) as unknown
     from events where ${MATCHES}
     group by adset_id, event_name,
       arrayCount((adset, at) -> adset = adset_id and at <= ${CLICK_BID_MS}, {changed:Array(UUID)}, {times:Array(Int64)})
     order by count desc, name, adsetId limit {rows:UInt32}`,
    {
      ...paramsOf(companyId, period, filter),
      changed: changes.map(({ adsetId }) => adsetId),
      times: changes.map(({ atMs }) => atMs),
      rows,
    },
    'JSON',
    settings,
  );
}
