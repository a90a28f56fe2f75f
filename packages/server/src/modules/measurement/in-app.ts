import { toDollars } from '@bidwell/contract/lib/money';
import { IN_APP_NAMES_MAX, type InAppEvents } from '@bidwell/contract/measurement/schema';
import type { Context } from '../../context.ts';
import { adsetsWithLink, linkHistory } from '../../delivery/public.ts';
import type { Period } from '../reports/query/plan.ts';
import { ROWS_MAX, withinReportLimits } from '../reports/report-limits.ts';
import { type InAppOfPart, adsetsWithInApp, inAppBetween } from './in-app-store.ts';
import type { PostbackFilter } from './store.ts';

/** Events in the app count until this long after their bid, by which they belong to a tracking link. */
const EVENTS_OF_BID_MS = 180 * 86_400_000;
/** Name of events whose names are not listed. */
const OTHER = '(other)';

/** Events in the app by name and tracking link; null where the ad set does not exist any more. */
export type InAppOfLink = InAppOfPart & { linkId: string | null };

/** Reads the events in the app of a period: at most {@link ROWS_MAX} groups by ad set and name, the most frequent. */
export async function readInApp(
  ctx: Context,
  companyId: string,
  period: Period,
  { campaignId, trackingLinkId }: PostbackFilter,
): Promise<readonly InAppOfLink[]> {
  const { db, clickhouse } = ctx;
  if (period.fromMs >= period.beforeMs) return [];
  const sinceMs = period.fromMs - EVENTS_OF_BID_MS;
  const requested =
    trackingLinkId === undefined ? undefined : await adsetsWithLink(db, companyId, trackingLinkId, sinceMs);
  if (requested?.length === 0) return [];
  const adsetIds = await withinReportLimits(ctx, (settings) =>
    adsetsWithInApp(
      clickhouse,
      companyId,
      period,
      { campaignId, adsetIds: requested },
      { rows: ROWS_MAX, settings },
    ),
  );
  if (adsetIds.length === 0) return [];
  const history = await linkHistory(db, [companyId], adsetIds, sinceMs);
  const filter = { campaignId, adsetIds: requested, changes: history.changes };
  const parts = await withinReportLimits(ctx, (settings) =>
    inAppBetween(clickhouse, companyId, period, filter, { rows: ROWS_MAX, settings }),
  );
  return parts
    .map((part) => ({ ...part, linkId: history.linkAt(part.adsetId, part.bidAtMs) ?? null }))
    .filter(({ linkId }) => trackingLinkId === undefined || linkId === trackingLinkId);
}

/** Events in the app by name, the most frequent first; those beyond the names that are listed together. Pure. */
export function presentInApp(parts: readonly InAppOfPart[]): InAppEvents[] {
  const sums = new Map<string, InAppOfPart>();
  for (const part of parts) sums.set(part.name, addParts(sums.get(part.name), part));
  const sorted = [...sums.values()].toSorted((a, b) => b.count - a.count);
  const listed = sorted.filter(({ name }) => name !== OTHER).slice(0, IN_APP_NAMES_MAX);
  const names = new Set(listed.map(({ name }) => name));
  const rest = sorted
    .filter(({ name }) => !names.has(name))
    .reduce<InAppOfPart | undefined>(addParts, undefined);
  return [...listed.map(presentPart), ...(rest ? [{ ...presentPart(rest), name: OTHER, people: null }] : [])];
}

function addParts(sum: InAppOfPart | undefined, part: InAppOfPart): InAppOfPart {
  if (!sum) return part;
  return {
    ...sum,
    count: sum.count + part.count,
    // A bid is of one ad set.
    people: sum.people + part.people,
    revenueMicros: sum.revenueMicros + part.revenueMicros,
    priced: sum.priced + part.priced,
    unknown: sum.unknown + part.unknown,
  };
}

function presentPart({ name, count, people, revenueMicros, priced, unknown }: InAppOfPart): InAppEvents {
  const revenue = unknown > 0 || priced === 0 ? null : toDollars(revenueMicros);
  return { name, count, people, revenue, unknown_amounts: unknown };
}
