import type { Mmp } from '@bidwell/contract/apps/fields';
import {
  type UncountedEvents,
  type UnreadTimes,
  UNCOUNTED_EVENT_REASONS,
  UNCOUNTED_EXAMPLES_MAX,
  type UncountedEventReason,
} from '@bidwell/contract/measurement/uncounted-events';
import type { Context } from '../../context.ts';
import { readEvent } from '../../delivery/public.ts';
import { jsonOf } from '../../platform/json-of.ts';
import { type Period, withinReportLimits } from '../reporting/public.ts';
import { type PostbackFilter, MATCHES, paramsOf } from './store.ts';
import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';

/** The postbacks of a period about events in the app that count nothing, by partner and reason, with the newest as examples. */
export async function readUncounted(
  ctx: Context,
  companyId: string,
  period: Period,
  filter: PostbackFilter,
): Promise<UncountedEvents[]> {
  if (period.fromMs >= period.beforeMs) return [];
  const { clickhouse } = ctx;
  const reasons = await withinReportLimits(ctx, (settings) =>
    uncountedByReason(clickhouse, companyId, period, filter, settings),
  );
  if (reasons.length === 0) return [];
  const examples = await withinReportLimits(ctx, (settings) =>
    uncountedExamples(clickhouse, companyId, period, filter, settings),
  );
  return reasons.map(({ mmp, reason, count, lastAtMs }) => ({
    mmp,
    reason,
    count,
    last_at: new Date(lastAtMs).toISOString(),
    examples: examples.filter((one) => one.mmp === mmp && one.reason === reason).map(presented),
  }));
}

/** The events in the app of a period whose time cannot be read, by partner, with the newest as an example. */
export async function readUnreadTimes(
  ctx: Context,
  companyId: string,
  period: Period,
  filter: PostbackFilter,
): Promise<UnreadTimes[]> {
  if (period.fromMs >= period.beforeMs) return [];
  const rows = await withinReportLimits(ctx, (settings) =>
    unreadTimes(ctx.clickhouse, companyId, period, filter, settings),
  );
  return rows.map(({ mmp, count, lastAtMs, parameters }) => ({
    mmp,
    count,
    last_at: new Date(lastAtMs).toISOString(),
    example: readEvent(mmp, parametersIn(parameters) ?? {}).unreadTime,
  }));
}

function presented({
  mmp,
  atMs,
  clickId,
  parameters,
}: UncountedExample): UncountedEvents['examples'][number] {
  const given = parametersIn(parameters);
  const reading = given && readEvent(mmp, given);
  return {
    at: new Date(atMs).toISOString(),
    name: reading?.name ?? null,
    event_at: reading && reading.eventAtMs !== null ? new Date(reading.eventAtMs).toISOString() : null,
    click_id: clickId,
  };
}

/** The parameters of a stored postback; null where they are not stored, or not as a whole. */
function parametersIn(text: string): Record<string, string> | null {
  return text === '{}' ? null : (jsonOf(text) as Record<string, string> | null);
}

/** Postbacks of a partner about events in the app that count nothing, for one reason. */
interface UncountedOfReason {
  mmp: Mmp;
  reason: UncountedEventReason;
  count: number;
  lastAtMs: number;
}

/** One of the newest of them. */
interface UncountedExample {
  mmp: Mmp;
  reason: UncountedEventReason;
  atMs: number;
  clickId: string;
  parameters: string;
}

/**
 * SQL of the reason why a postback about an event counts nothing; '' if it counts. One without a campaign names no click of the company. Releases
 * before the reasons stored the outcome alone.
 */
const REASON = `multiIf(
  event_outcome = 'stored' and reason = 'install_rejected', reason,
  event_outcome in ('stored', 'duplicate', 'taken_back'), '',
  event_outcome = '' and reason = 'no_activity', reason,
  event_outcome = '' and campaign_id != {nil:UUID}, 'device_address',
  event_outcome = '' and click_id = '', 'no_click_id',
  event_outcome = '', 'unknown_click',
  reason in ('before_click', 'after_window', 'reported_late', 'in_future'), reason,
  event_outcome = 'no_touchpoint', 'no_touchpoint',
  event_outcome = 'rejected', 'rejected',
  'after_window')`;

const UNCOUNTED = `${MATCHES} and outcome in ('event', 'retargeting') and ${REASON} != ''`;

/** Postbacks about events in the app that count nothing, by partner and reason, the most frequent first. */
async function uncountedByReason(
  clickhouse: ClickHouse,
  companyId: string,
  period: Period,
  filter: PostbackFilter,
  settings: QuerySettings,
): Promise<readonly UncountedOfReason[]> {
  return clickhouse.query<UncountedOfReason>(
    `select p.mmp as mmp, ${REASON} as why, count() as count, max(toUnixTimestamp64Milli(time)) as lastAtMs, why as reason
     from postbacks as p where ${UNCOUNTED}
     group by mmp, why order by count desc, mmp, why`,
    paramsOf(companyId, period, filter),
    'JSON',
    settings,
  );
}

/** Postbacks of a partner about events in the app that count, with a time that cannot be read. */
interface UnreadTimesOf {
  mmp: Mmp;
  count: number;
  lastAtMs: number;
  /** The parameters of the newest of them. */
  parameters: string;
}

/** Events in the app that are dated as they arrived, since their time cannot be read, by partner, the most first. */
async function unreadTimes(
  clickhouse: ClickHouse,
  companyId: string,
  period: Period,
  filter: PostbackFilter,
  settings: QuerySettings,
): Promise<readonly UnreadTimesOf[]> {
  return clickhouse.query<UnreadTimesOf>(
    `select p.mmp as mmp, count() as count, max(toUnixTimestamp64Milli(time)) as lastAtMs, argMax(parameters, time) as parameters
     from postbacks as p where ${MATCHES} and event_outcome = 'stored' and reason = 'time_unread'
     group by mmp order by count desc, mmp`,
    paramsOf(companyId, period, filter),
    'JSON',
    settings,
  );
}

const EXAMPLES_MAX = 10 * UNCOUNTED_EVENT_REASONS.length * UNCOUNTED_EXAMPLES_MAX;

/** Characters of a click id that are shown, and of the parameters that are read. */
const CLICK_ID_CHARS_MAX = 300;

/** The newest of each partner and reason. Their parameters are read for those alone. */
async function uncountedExamples(
  clickhouse: ClickHouse,
  companyId: string,
  period: Period,
  filter: PostbackFilter,
  settings: QuerySettings,
): Promise<readonly UncountedExample[]> {
  return clickhouse.query<UncountedExample>(
    `select p.mmp as mmp, ${REASON} as why, toUnixTimestamp64Milli(time) as atMs,
       substringUTF8(click_id, 1, ${CLICK_ID_CHARS_MAX}) as clickId, parameters, why as reason
     from postbacks as p
     where ${MATCHES} and p.id global in (
       select id from (
         select id, p.mmp as of, ${REASON} as why from postbacks as p where ${UNCOUNTED}
         order by company_id desc, time desc limit ${UNCOUNTED_EXAMPLES_MAX} by of, why limit ${EXAMPLES_MAX}
       ))
     order by atMs desc, p.id limit ${EXAMPLES_MAX}`,
    paramsOf(companyId, period, filter),
    'JSON',
    settings,
  );
}
