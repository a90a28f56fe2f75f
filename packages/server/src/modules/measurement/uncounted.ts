import type { UncountedEvents, UnreadTimes } from '@bidwell/contract/measurement/uncounted-events';
import type { Context } from '../../context.ts';
import { readEvent } from '../../delivery/public.ts';
import { jsonOf } from '../../platform/json-of.ts';
import { type Period, withinReportLimits } from '../reporting/public.ts';
import type { PostbackFilter } from './store.ts';
import {
  type UncountedExample,
  uncountedByReason,
  uncountedExamples,
  unreadTimes,
} from './uncounted-store.ts';

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
